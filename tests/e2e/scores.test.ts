import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';
import { en } from '../../src/domain/workplan/locales/en.ts';
import { copySample } from '../helpers/sample.ts';
import type { Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { scored } from '../unit/adapters/models/offline/flow.ts';
import { Host } from '../unit/adapters/models/offline/host.ts';

let service: TestService;
let scene: Scene;
let clear: StatusAnswer;
let ambiguous: StatusAnswer;
let thin: StatusAnswer;

/** A little more than nothing: what is wanted, but not how one sees that it is done. */
const EXTENSION = `

Search should find orders by the parcel number of the carrier, and it should be faster, somehow. Newer orders are
more interesting than old ones.
`;

beforeAll(async () => {
  service = await startTestService();
  scene = await copySample(service);
  clear = await planned(1);
  ambiguous = await planned(2);
  thin = await planned(3);
}, 300_000);
afterAll(() => service.stop());

/** Plans; bob takes what is recommended, and where more context is asked for there is a little more. */
async function planned(iid: number): Promise<StatusAnswer> {
  const alice = scene.as('alice');
  await alice.act(iid, 'plan');
  let status = await scene.reach(iid, 'NEEDS_INPUT', 'COMPLETED', 'FAILED');
  for (let pauses = 0; status.generationStatus === 'NEEDS_INPUT' && pauses < 3; pauses += 1) {
    if (status.pause?.kind === 'context_gate') {
      const { body } = await alice.gitlab('GET', `/issues/${iid}`);
      await alice.gitlab('PUT', `/issues/${iid}`, { description: `${body.description}${EXTENSION}` });
    }
    for (const note of scene.ours(iid).filter((own) => own.body.includes('kind=question')))
      await scene.as('bob').reply(iid, note.discussionId, 'yes');
    const before = status.pause?.id;
    await alice.act(iid, 'continue', { pauseId: before });
    await scene.until(iid, (now) => now.pause?.id !== before);
    status = await scene.reach(iid, 'NEEDS_INPUT', 'COMPLETED', 'FAILED');
  }
  return status;
}

const value = (status: StatusAnswer): number => status.score?.value ?? Number.NaN;

describe('the samples', () => {
  test('all complete with a score', () => {
    for (const status of [clear, ambiguous, thin])
      expect(status).toMatchObject({ generationStatus: 'COMPLETED', scoreStatus: 'EVALUATED' });
  });

  test('a clear item scores higher than an ambiguous one, and that higher than a thin one', () => {
    expect(value(clear)).toBeGreaterThan(value(ambiguous));
    expect(value(ambiguous)).toBeGreaterThan(value(thin));
  });

  test('the clear one is asked nothing, and is of high readiness', () => {
    expect(clear.questions).toEqual([]);
    expect(clear.score?.band).toBe('High');
  });
});

describe('the evaluators', () => {
  test('give a plan less when a unit is taken out of it', async () => {
    const { workplan } = clear;
    const issue = service.sandbox.state.project(scene.id).issues[0];
    if (!workplan || !issue) throw new Error('There is no plan.');
    const whole = new Host({ title: issue.title, description: issue.description ?? '' }, filesOf(scene));
    whole.plan = workplan;
    const full = await scored(whole);
    for (const { id } of workplan.units) {
      const without = workplan.units
        .filter((unit) => unit.id !== id)
        .map((unit) => ({
          ...unit,
          dependsOn: unit.dependsOn.filter((other) => other !== id),
          parallelWith: unit.parallelWith.filter((other) => other !== id),
        }));
      const host = new Host({ title: issue.title, description: issue.description ?? '' }, filesOf(scene));
      host.plan = { ...workplan, units: without };
      expect(await scored(host), `without ${id}`).toBeLessThan(full);
    }
  });
});

describe('a Japanese item', () => {
  test('is asked, told and planned in Japanese', async () => {
    await planned(5);
    const bodies = scene.ours(5).map((note) => note.body);
    expect(bodies.length).toBeGreaterThanOrEqual(2);
    const phrases = [en.planReady, en.howToAnswer, en.requirements, en.acceptance, en.hintEnded, en.whyItMatters];
    for (const body of bodies) {
      expect(body).toMatch(/[\u3040-\u30ff]/);
      for (const phrase of phrases) expect(body).not.toContain(phrase);
    }
  });
});

describe('what is internal', () => {
  test('an internal note never shows in a note of the service', () => {
    const internal = scene.notes(2).filter((note) => /complained|Internal:/.test(note.body) && note.author === 'maria');
    expect(internal).toHaveLength(1);
    for (const note of scene.ours(2)) expect(note.body).not.toMatch(/complain|same company|colleagues/i);
    expect(JSON.stringify(ambiguous.workplan)).not.toMatch(/complain|same company|colleagues/i);
  });
});

function filesOf(from: Scene): Record<string, string> {
  const project = service.sandbox.state.project(from.id);
  const commit = project.commits.get(project.branches.get('main') ?? '');
  return Object.fromEntries([...(commit?.files ?? [])].map(([path, file]) => [path, file.bytes.toString()]));
}
