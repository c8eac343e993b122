import { expect, onTestFinished, test } from 'vitest';
import { buildWorkerHealth } from '../../../src/http/worker-health.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';

async function health(ready: () => Promise<void> = async () => undefined) {
  const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => '# none\n', request: () => undefined };
  const app = await buildWorkerHealth({ ready, metrics, log: createMemoryLog() });
  onTestFinished(() => app.close());
  return app;
}

test('a worker that gets its jobs is ready', async () => {
  const app = await health();

  const [alive, ready, metrics] = [
    await app.inject('/healthz'),
    await app.inject('/readyz'),
    await app.inject('/metrics'),
  ];

  expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'ok' }]);
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  expect([metrics.statusCode, metrics.body]).toEqual([200, '# none\n']);
});

test('one that does not lives, but is not ready', async () => {
  const app = await health(() => Promise.reject(new Error('postgres://planwright:hunter2@db is away')));

  const ready = await app.inject('/readyz');

  expect((await app.inject('/healthz')).statusCode).toBe(200);
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({ code: 'not_ready', detail: expect.stringContaining('a queue is silent') });
  expect(ready.body).not.toContain('hunter2');
});

test('nothing else is answered', async () => {
  const app = await health();

  expect((await app.inject('/api/v1/projects/1/issues/1/workplan')).statusCode).toBe(404);
});
