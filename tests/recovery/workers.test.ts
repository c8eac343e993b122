/** Workers that are frozen, told to stop, cut off from Redis, or never woken. PostgreSQL, Redis and the workers are real. */
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { fault, faultsLeft } from '../helpers/faults.ts';
import { checkRun, fenceProblems } from '../helpers/invariants.ts';
import {
  isStopped,
  openStation,
  openTemplate,
  type Station,
  type StationOptions,
  type Template,
  type Worker,
} from '../helpers/recovery.ts';
import { type RedisProxy, startRedisProxy } from '../helpers/redis-proxy.ts';
import { openScene, patiently, type Scene } from '../helpers/scene.ts';
import { testRedis } from '../helpers/servers.ts';

let template: Template;
let sandbox: SandboxHandle;
const stations: Station[] = [];
const proxies: RedisProxy[] = [];

beforeAll(async () => {
  template = await openTemplate();
  sandbox = await startSandbox();
});
afterEach(async () => {
  for (const station of stations.splice(0)) await station.stop();
  for (const proxy of proxies.splice(0)) await proxy.close();
});
afterAll(async () => {
  await sandbox.close();
  await template.drop();
});

async function stationed(options: Partial<StationOptions> = {}): Promise<{ station: Station; scene: Scene }> {
  const station = await openStation({ template, sandbox, ...options });
  stations.push(station);
  const scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
  return { station, scene };
}

/** Bob answers, alice continues, and the run is watched to its end. */
async function toTheEnd(station: Station, scene: Scene): Promise<void> {
  await scene.reach(1, 'NEEDS_INPUT');
  const question = scene.ours(1).find((note) => note.body.includes('kind=question'));
  await scene.as('bob').reply(1, question?.discussionId ?? '', '1');
  await scene.as('alice').act(1, 'continue');
  await scene.reach(1, 'COMPLETED', 'FAILED');
  expect(await checkRun(station, scene)).toEqual([]);
}

const logged = (worker: Worker, message: string): Promise<unknown> =>
  patiently(async () => ({ done: worker.lines.some((line) => line.msg === message), value: worker.lines.slice(-3) }));

const used = (): Promise<unknown> =>
  patiently(async () => ({ done: (await faultsLeft({ sandbox })) === 0, value: 'the fault waits' }));

/** The worker waits for the repository, which GitLab sends after this time. */
function slowArchive(scene: Scene, delayMs: number): Promise<void> {
  return fault({ sandbox }, { method: 'GET', path: `^/projects/${scene.id}/repository/archive`, delayMs });
}

/** Starts a worker that freezes right before it passes a point, and waits until it is frozen. */
async function frozenBefore(station: Station, scene: Scene, point: string): Promise<Worker> {
  const worker = station.worker({ KILL_AT: point, KILL_WHEN: 'before', KILL_SIGNAL: 'SIGSTOP' });
  await scene.as('alice').act(1, 'plan');
  await patiently(async () => ({ done: await isStopped(worker), value: worker.lines.slice(-3) }));
  return worker;
}

test.each(['write_runs#1', 'write_runs#2'])(
  'a worker that was frozen right before %s, past the take-over, writes nothing when it goes on',
  async (point) => {
    const { station, scene } = await stationed();
    const frozen = await frozenBefore(station, scene, point);
    await station.survivor();
    await scene.reach(1, 'NEEDS_INPUT');
    const written = await station.audit();
    expect(written.filter((entry) => entry.what === 'claim').map((entry) => entry.app)).toEqual([
      'process',
      'survivor',
    ]);
    frozen.kill('SIGCONT');
    await logged(frozen, 'run left');
    expect(frozen.lines.find((line) => line.msg === 'run left')).toMatchObject({
      result: expect.stringMatching(/lost|stopped/),
    });
    expect(await station.audit()).toEqual(written);
    await toTheEnd(station, scene);
  },
);

test('a worker that was frozen in the middle of an effect gives it up when it goes on', async () => {
  const { station, scene } = await stationed();
  const frozen = station.worker();
  await slowArchive(scene, 500);
  await scene.as('alice').act(1, 'plan');
  await used();
  frozen.kill('SIGSTOP');
  await station.survivor();
  await scene.reach(1, 'NEEDS_INPUT');
  frozen.kill('SIGCONT');
  await logged(frozen, 'run left');
  await toTheEnd(station, scene);
  expect(fenceProblems(await station.audit())).toEqual([]);
});

test.each(['gitlab POST /notes#1', 'gitlab POST /discussions#1'])(
  'a worker that was frozen right before %s posts it late, and the note stands once',
  async (point) => {
    const { station, scene } = await stationed();
    const frozen = await frozenBefore(station, scene, point);
    await station.survivor();
    await scene.reach(1, 'NEEDS_INPUT');
    const before = scene.ours(1).length;
    const posts = () =>
      sandbox.state.journal.filter(
        (entry) => entry.method === 'POST' && entry.path.startsWith(`/projects/${scene.id}/`),
      ).length;
    const postsBefore = posts();
    frozen.kill('SIGCONT');
    await patiently(async () => ({ done: posts() > postsBefore, value: scene.markers(1) }));
    await patiently(async () => ({ done: scene.ours(1).length === before, value: scene.markers(1) }));
    await toTheEnd(station, scene);
  },
);

test('SIGTERM leaves the run resumable at once: nobody waits for a take-over', async () => {
  // With these times a run that was not given back would stay for minutes.
  const { station, scene } = await stationed({
    times: { takeoverMs: 600_000, heartbeatMs: 1000, deliveryHoldMs: 600_000 },
  });
  const first = station.worker();
  await slowArchive(scene, 1500);
  await scene.as('alice').act(1, 'plan');
  await used();
  await patiently(async () => ({ done: scene.markers(1).length === 1, value: scene.markers(1) }));
  first.kill('SIGTERM');
  await first.exit;
  expect(first.ended()).toEqual({ code: 0, signal: null });
  await station.survivor();
  await toTheEnd(station, scene);
});

test('SIGTERM while a question is being posted: it stands once and nobody waits for the hold', async () => {
  const { station, scene } = await stationed({
    times: { takeoverMs: 600_000, heartbeatMs: 1000, deliveryHoldMs: 600_000 },
  });
  const first = station.worker();
  await fault(
    { sandbox },
    {
      method: 'POST',
      path: `^/projects/${scene.id}/issues/1/discussions$`,
      status: 502,
      afterCommit: true,
      delayMs: 1500,
    },
  );
  await scene.as('alice').act(1, 'plan');
  await patiently(async () => ({
    done: scene.markers(1).some((key) => key.includes('question')),
    value: scene.markers(1),
  }));
  first.kill('SIGTERM');
  await first.exit;
  expect(first.ended()).toEqual({ code: 0, signal: null });
  await station.survivor();
  await toTheEnd(station, scene);
});

test('a run that nobody was told about is found by the sweeper', async () => {
  const { station, scene } = await stationed();
  // Accepted with a queue that reaches nobody: the wake-up is lost.
  station.infra.act.queue.wakeRuns = async () => undefined;
  await scene.as('alice').act(1, 'plan');
  station.worker();
  await toTheEnd(station, scene);
});

test('Redis is away when the plan is asked for: it is accepted, and made when Redis is back and empty', async () => {
  const { station, scene, proxy } = await behindProxy();
  station.worker();
  await proxy.cut();
  expect((await scene.as('alice').act(1, 'plan')).status).toBe(202);
  await proxy.restore();
  await toTheEnd(station, scene);
});

test('Redis goes away during the run and loses everything: the run completes', async () => {
  const { station, scene, proxy, flush } = await behindProxy();
  station.worker();
  await slowArchive(scene, 500);
  await scene.as('alice').act(1, 'plan');
  await used();
  await proxy.cut();
  await flush();
  await patiently(async () => {
    const status = await scene.now(1);
    return { done: status.generationStatus === 'NEEDS_INPUT', value: status };
  });
  await proxy.restore();
  await toTheEnd(station, scene);
});

async function behindProxy(): Promise<{ station: Station; scene: Scene; proxy: RedisProxy; flush(): Promise<void> }> {
  const redis = await testRedis();
  const proxy = await startRedisProxy(redis.url);
  proxies.push(proxy);
  const { station, scene } = await stationed({ redisUrl: proxy.url });
  return {
    station,
    scene,
    proxy,
    async flush() {
      const direct = new Redis(redis.url);
      await direct.flushdb();
      direct.disconnect();
    },
  };
}
