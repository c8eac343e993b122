/** Redis is away for as long as a run takes: the database is the truth, and workers look there by themselves. */
import { expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation } from '../helpers/recovery.ts';
import { sharedPlace } from '../helpers/recovery-place.ts';
import { startRedisProxy } from '../helpers/redis-proxy.ts';
import { openScene, patiently } from '../helpers/scene.ts';
import { testRedis } from '../helpers/servers.ts';

const place = sharedPlace();

test('a run begins, asks, is answered and completes without Redis', async () => {
  const proxy = await startRedisProxy((await testRedis()).url);
  const station = await openStation({ ...place, redisUrl: proxy.url });
  try {
    const scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const worker = station.worker({ CANARY_MS: '100' });
    await patiently(async () => ({
      done: worker.lines.some((line) => line.msg === 'started'),
      value: worker.lines.slice(-2),
    }));
    await proxy.cut();

    await scene.as('alice').act(1, 'plan');
    await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').act(1, 'continue');
    const status = await scene.reach(1, 'COMPLETED', 'FAILED');

    expect(status.generationStatus).toBe('COMPLETED');
    expect(scene.markers(1).filter((key) => key.includes('kind=plan'))).toHaveLength(1);
  } finally {
    await station.stop();
    await proxy.close();
  }
});
