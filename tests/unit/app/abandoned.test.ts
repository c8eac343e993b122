import { expect, test } from 'vitest';
import { abandonedRuns, MOST_LOST } from '../../../src/app/abandoned.ts';
import { SUSPECT_AT } from '../../../src/ports/takeovers.ts';
import { appendTo, createService, type Service, startRun } from './setup.ts';

const LEASE_MS = 15_000;
const find = (service: Service) => abandonedRuns(service.deps, 100);

async function started(...runIds: string[]): Promise<Service> {
  const service = createService();
  for (const [index, id] of runIds.entries()) {
    const run = await startRun(service.store, { id, globalId: 600 + index });
    await service.store.release([{ runId: id, fence: run.fence }]);
  }
  return service;
}

/** A worker takes these runs and is lost, so often. */
async function lose(service: Service, runIds: string[], times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await service.store.claim({ runIds, worker: `w${time}`, leaseMs: LEASE_MS, maxFormat: 1 });
    service.clock.advance(LEASE_MS + 1);
    await find(service);
  }
}

test('runs that nobody holds are found, also after workers were lost', async () => {
  const service = await started('run-a', 'run-b');
  await lose(service, ['run-a'], 2);

  expect(await find(service)).toEqual(['run-a', 'run-b']);
});

test('of those that lost several workers one at a time is found, and none while one is at work', async () => {
  const service = await started('run-a', 'run-b', 'run-c');
  await lose(service, ['run-a', 'run-b'], SUSPECT_AT);

  const first = await find(service);
  await service.store.claim({ runIds: ['run-a'], worker: 'w', leaseMs: LEASE_MS, maxFormat: 1 });
  const meanwhile = await find(service);

  expect(first).toEqual(['run-a', 'run-c']);
  expect(meanwhile).toEqual(['run-c']);
});

test('who was only beside it gets on and is found with the others again', async () => {
  const service = await started('run-a', 'run-b');
  await lose(service, ['run-a', 'run-b'], SUSPECT_AT);
  const [held] = await service.store.claim({ runIds: ['run-a'], worker: 'w', leaseMs: LEASE_MS, maxFormat: 1 });
  if (!held) throw new Error('not claimed');
  await appendTo(service.store, 'run-a', [{ type: 'warning', code: 'one', message: 'got on', movement: null }]);
  await service.store.release([{ runId: 'run-a', fence: held.fence }]);

  expect(await find(service)).toEqual(['run-a', 'run-b']);
});

test('who loses every worker ends as FAILED with a reason, and says so', async () => {
  const service = await started('run-a', 'run-b');
  await lose(service, ['run-a'], MOST_LOST);

  const found = await find(service);

  expect(found).toEqual(['run-b']);
  const { row, events } = service.store.run('run-a');
  expect(row).toMatchObject({ status: 'FAILED', reason: 'worker_lost' });
  expect(events.slice(-2)).toMatchObject([
    { type: 'warning', code: 'worker_lost' },
    { type: 'ended', status: 'failed', reason: 'worker_lost' },
  ]);
  expect(service.store.data.outbox.map(({ kind }) => kind)).toContain('end');
  expect(service.log.lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'run ended: every worker that took it was lost' }),
  );
});

test('one that cannot be ended keeps no other waiting', async () => {
  const service = await started('run-a', 'run-b');
  await lose(service, ['run-a'], MOST_LOST - 1);
  service.deps.store = { ...service.store, load: () => Promise.reject(new Error('unreadable')) };
  await lose(service, ['run-a'], 1);

  expect(await find(service)).toEqual(['run-b']);
});
