/** A project with a limit of runs at work, whose worker is killed. PostgreSQL, Redis and the worker are real. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation, openTemplate, type Station, type Template } from '../helpers/recovery.ts';
import { openScene } from '../helpers/scene.ts';

let template: Template;
let sandbox: SandboxHandle;
const stations: Station[] = [];

beforeAll(async () => {
  template = await openTemplate();
  sandbox = await startSandbox();
});
afterEach(async () => {
  for (const station of stations.splice(0)) await station.stop();
});
afterAll(async () => {
  await sandbox.close();
  await template.drop();
});

test.each(['right after it has taken the run', 'right after the run has ended'] as const)(
  'killed %s: the turn is neither lost nor given twice',
  async (when) => {
    const station = await openStation({ template, sandbox });
    stations.push(station);
    const files = { ...SMALL_FILES, '.gitlab/planwright.yml': 'max_live_runs: 1\n' };
    const scene = await openScene(station, { files, issues: [CLEAR_ISSUE, CLEAR_ISSUE] });
    const early = when === 'right after it has taken the run';
    const worker = station.worker(early ? { KILL_AT: 'claim_runs#1', KILL_WHEN: 'after' } : {});
    for (const iid of [1, 2]) await scene.as('alice').act(iid, 'plan');
    if (!early) {
      await scene.until(1, (status) => status.generationStatus === 'COMPLETED');
      worker.kill('SIGKILL');
    }
    await worker.exit;
    await station.survivor();

    for (const iid of [1, 2]) await scene.reach(iid, 'COMPLETED');

    const both = await station.infra.db.execute<{ most: number }>(MOST_AT_WORK);
    expect(both).toEqual([{ most: 1 }]);
  },
);

/** How many runs had begun and not ended at any moment, by their events. */
const MOST_AT_WORK = `
select max(at_work)::int as most from (
  select sum(change) over (order by at, change) as at_work from (
    select min(at) as at, 1 as change from events where type = 'pinned' group by run_id
    union all select at, -1 from events where type = 'ended') changes) counted`;
