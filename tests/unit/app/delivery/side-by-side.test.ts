import { expect, test } from 'vitest';
import { workInbox } from '../../../../src/app/delivery/inbox.ts';
import { startLoop } from '../../../../src/app/loop.ts';
import { startRun } from '../setup.ts';
import { inboxOf, noteHook } from './inbox-desk.ts';

test('a delivery that never ends keeps no other item’s cancel waiting', async () => {
  const stuck = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const { service, deps } = inboxOf();
  await startRun(service.store);
  const { note } = service.gitlab;
  deps.gitlab.note = (projectId, iid, noteId) => {
    if (iid === 1) return note(projectId, iid, noteId);
    asked.resolve();
    return stuck.promise;
  };
  const canceled = Promise.withResolvers<void>();
  const { end } = service.store;
  deps.store = {
    ...service.store,
    async end(input) {
      const outcome = await end(input);
      canceled.resolve();
      return outcome;
    },
  };
  const loop = startLoop({
    name: 'inbox',
    idleMs: 2000,
    clock: service.clock,
    log: service.log,
    work: (signal, draining, woken) => workInbox(deps, signal, draining, woken),
  });
  const put = (id: string, itemKey: string, hook: object) =>
    service.inbox.put({ id, event: 'Note Hook', itemKey, body: JSON.stringify(hook) });
  const other = service.gitlab.say('alice', 1, '/workplan plan');
  await put('d1', '1/2', { ...noteHook(other), issue: { iid: 2 } });
  loop.wake();
  await asked.promise;

  await put('d2', '1/1', noteHook(service.gitlab.say('alice', 1, '/workplan cancel')));
  loop.wake();
  await canceled.promise;

  expect(service.store.run('run-a').row.status).toBe('CANCELED');
  expect(service.inbox.state('d1')).toBe('open');
  stuck.reject(new Error('over'));
  await loop.stop();
});
