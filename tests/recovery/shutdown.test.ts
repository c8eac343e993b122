/** Worker processes that are told to stop, and what others see of workers. */
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { fault, faultsLeft } from '../helpers/faults.ts';
import { openStation, openTemplate, type Station, type Template, type Worker } from '../helpers/recovery.ts';
import { openScene, patiently, type Scene } from '../helpers/scene.ts';

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

/** Times at which nothing would be taken over during a test. */
const UNHURRIED = { takeoverMs: 600_000, heartbeatMs: 1000, deliveryHoldMs: 600_000 };

/** A worker that waits for the repository, which GitLab sends after `delayMs`. */
async function inAnEffect(delayMs: number, env: Record<string, string>) {
  const station = await openStation({ template, sandbox, times: UNHURRIED });
  stations.push(station);
  const scene: Scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  const worker = station.worker(env);
  const archive = `^/projects/${scene.id}/repository/archive`;
  await fault({ sandbox }, { method: 'GET', path: archive, delayMs });
  await scene.as('alice').act(1, 'plan');
  await patiently(async () => ({ done: (await faultsLeft({ sandbox })) === 0, value: 'the fault waits' }));
  // What was read before is recorded a moment after the effect began.
  await patiently(async () => {
    const pinned = await station.infra.db.execute(`select seq from events where type = 'pinned'`);
    return { done: pinned.length === 1, value: 'the commit is not recorded' };
  });
  const [run] = await station.infra.db.execute<{ id: string }>('select id from runs');
  if (!run) throw new Error('no run was started');
  return { station, scene, worker, runId: run.id };
}

const wrote = (worker: Worker, message: string) => worker.lines.find((line) => line.msg === message);

test('what is at work when the worker is told to stop ends within the grace time and is recorded', async () => {
  const { station, worker, runId } = await inAnEffect(1500, { SHUTDOWN_GRACE_MS: '20000' });
  const before = await station.infra.act.store.byId(runId);

  worker.kill('SIGTERM');
  await worker.exit;

  const after = await station.infra.act.store.byId(runId);
  expect(worker.ended()).toEqual({ code: 0, signal: null });
  expect(after?.seq).toBeGreaterThan(before?.seq ?? 0);
  expect(await station.infra.db.execute('select owner from runs')).toEqual([{ owner: null }]);
});

test('what takes longer is aborted, nothing of it is recorded, and the run can be claimed at once', async () => {
  const { station, worker, runId } = await inAnEffect(30_000, { SHUTDOWN_GRACE_MS: '300' });
  const before = await station.infra.act.store.byId(runId);

  worker.kill('SIGTERM');
  await worker.exit;

  expect(worker.ended()).toEqual({ code: 0, signal: null });
  expect((await station.infra.act.store.byId(runId))?.seq).toBe(before?.seq);
  expect(await station.infra.act.store.findAbandoned(10)).toEqual([runId]);
});

test('the second signal exits at once', async () => {
  const { worker } = await inAnEffect(30_000, { SHUTDOWN_GRACE_MS: '600000' });

  worker.kill('SIGTERM');
  await patiently(async () => ({ done: wrote(worker, 'stopping') !== undefined, value: worker.lines.slice(-2) }));
  worker.kill('SIGTERM');
  await worker.exit;

  expect(worker.ended()).toEqual({ code: 143, signal: null });
});

test('the lease that a killed worker left behind lapses by itself', async () => {
  const { station, worker } = await inAnEffect(30_000, {});
  const redis = new Redis(station.config.redisUrl ?? '');
  const leases = () => redis.keys(`${station.config.redisPrefix}:lease:*`);
  const [left] = await leases();

  worker.kill('SIGKILL');
  await worker.exit;

  expect(await redis.pttl(left ?? '')).toBeGreaterThan(0);
  await redis.pexpire(left ?? '', 50);
  await patiently(async () => ({ done: (await leases()).length === 0, value: await leases() }));
  redis.disconnect();
});

test('a worker answers health checks, says in the database that it lives, and signs off', async () => {
  const station = await openStation({ template, sandbox });
  stations.push(station);
  const worker = station.worker({ WORKER_HEALTH_PORT: '0', CANARY_MS: '100' });
  await patiently(async () => ({ done: wrote(worker, 'started') !== undefined, value: worker.lines.slice(-2) }));
  const { url } = wrote(worker, 'the worker answers health checks') as unknown as { url: string };
  const get = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, text: await answer.text() };
  };

  await patiently(async () => {
    const ready = await get('/readyz');
    return { done: ready.status === 200, value: ready };
  });
  const signs = await station.infra.upkeep.workers(60_000);
  const metrics = await get('/metrics');
  worker.kill('SIGTERM');
  await worker.exit;

  expect((await station.infra.upkeep.workers(60_000)).length).toBe(0);
  expect(signs).toMatchObject([{ parts: ['runs', 'deliveries', 'maintenance'] }]);
  expect(metrics.text).toMatch(/^planwright_queue_silence_seconds\{queue="runs"\} 0\.\d+$/m);
  expect(metrics.text).toMatch(/^planwright_live_runs\{state="generating"\} 0$/m);
});

test('sweeps by several processes do no harm: overdue runs end once', async () => {
  const station = await openStation({ template, sandbox });
  stations.push(station);
  const scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE, ASKING_ISSUE, ASKING_ISSUE] });
  for (const iid of [1, 2, 3]) await scene.as('alice').act(iid, 'plan');
  await station.infra.db.execute(
    `update runs set deadline_at = now() - interval '1 minute', owner = 'a', held_until = now() + interval '1 hour'`,
  );

  const workers = [1, 2, 3].map(() => station.worker());
  for (const iid of [1, 2, 3]) await scene.reach(iid, 'FAILED');

  const ends = await station.infra.db.execute(`select run_id from events where type = 'ended'`);
  expect(ends).toHaveLength(3);
  for (const iid of [1, 2, 3]) expect(scene.markers(iid).filter((key) => key.includes('kind=end'))).toHaveLength(1);
  for (const worker of workers) worker.kill('SIGKILL');
});
