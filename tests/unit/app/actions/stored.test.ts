import { describe, expect, test } from 'vitest';
import { act } from '../../../../src/app/actions/act.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { createService, requestOf } from '../setup.ts';

describe('what stays with a run from its beginning (D1, D9)', () => {
  test('the language of the item: a cancel before the commit is pinned is told in it', async () => {
    const service = createService({ title: '出力を制限する', description: '注文の出力は一万行までにしてください。' });
    await act(service.deps, await requestOf(service, 'plan'));

    await act(service.deps, await requestOf(service, 'cancel'));

    const { events } = service.store.run('run-1');
    expect(fold('run-1', events).language).toBe('ja');
    expect(service.store.data.outbox.at(-1)).toMatchObject({ kind: 'cancel', body: expect.stringContaining('中止') });
  });

  test('what its agents may do, whose bots count, where the service is', async () => {
    const service = createService();
    const stored = {
      agent: { steps: 7, timeoutMs: 9000 },
      allowedBots: [4],
      publicUrl: 'https://plans.example',
    };
    Object.assign(service.deps.operator, structuredClone(stored));

    await act(service.deps, await requestOf(service, 'plan'));

    expect(service.store.run('run-1').start.settings).toMatchObject(stored);
  });

  test.each([true, false])('whether the item was confidential: %s', async (confidential) => {
    const service = createService({ confidential });

    await act(service.deps, await requestOf(service, 'plan'));

    expect(service.store.run('run-1').row.item.confidential ?? false).toBe(confidential);
  });
});

describe('the lease of an item', () => {
  test('is given back by a cancel with no worker alive', async () => {
    const service = createService();
    await act(service.deps, await requestOf(service, 'plan'));
    const before = service.lease.ttl('lease:501');

    await act(service.deps, await requestOf(service, 'cancel'));

    expect([before, service.lease.ttl('lease:501')]).toEqual([30_000, null]);
  });

  test('of somebody else stays', async () => {
    const service = createService();
    await act(service.deps, await requestOf(service, 'plan'));
    service.clock.advance(30_000);
    await service.lease.acquire(501, 30_000);

    await act(service.deps, await requestOf(service, 'cancel'));

    expect(service.lease.ttl('lease:501')).toBe(30_000);
  });
});
