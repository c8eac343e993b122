/** The short form of `npm run chaos`: real servers that are stopped and emptied, worker processes that are killed, many people at once. */
import { expect, test } from 'vitest';
import { SHORT } from '../../scripts/chaos/lengths.ts';
import { type ChaosReport, runChaos } from '../../scripts/chaos/run.ts';

/** What the monkey did must be enough to call it chaos, or the rest says nothing. */
function expectChaos({ monkey, people, post, runs }: ChaosReport): void {
  expect(monkey.postgresRestarts).toBeGreaterThan(0);
  expect(monkey.redisKills).toBeGreaterThan(1);
  expect(monkey.longestRedisMs).toBeGreaterThan(5000);
  expect(monkey.workerKills).toBeGreaterThan(0);
  expect(monkey.apiKills + monkey.apiPoints).toBeGreaterThan(1);
  expect(monkey.faults).toBeGreaterThan(20);
  expect(people.replies).toBeGreaterThan(5);
  expect(people.presses).toBeGreaterThan(SHORT.runs);
  expect(post.twice + post.late).toBeGreaterThan(5);
  expect(runs['COMPLETED']).toBeGreaterThan(SHORT.runs / 2);
}

/** 2: a reply was lost whose question was still being posted when Continue was pressed. */
test.each([2])(
  'whatever is restarted, emptied, killed or delayed with seed %i, all that was promised holds',
  async (seed) => {
    const report = await runChaos({ ...SHORT, seed, say: () => undefined });

    console.log(JSON.stringify(report));
    expect(report.violations).toEqual([]);
    expectChaos(report);
  },
  300_000,
);
