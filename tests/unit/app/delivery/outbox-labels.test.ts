/** Labels as the deliverer of the outbox sets and takes them away. */
import { describe, expect, test } from 'vitest';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { clearingOnce } from '../../../../src/app/delivery/outbox-labels.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { deliverer, never, rowOf, write } from './outbox-desk.ts';

async function labelling(labels: string[] = []) {
  const desk = await deliverer();
  Object.assign(desk.service.gitlab.world.issues[0] ?? {}, { labels });
  const changes: object[] = [];
  const { changeLabels } = desk.deps.gitlab;
  desk.deps.gitlab.changeLabels = (projectId, iid, change, options) => {
    changes.push(change);
    return changeLabels(projectId, iid, change, options);
  };
  const raised: string[] = [];
  desk.deps.warnings = {
    raise: async ({ code, detail }) => void raised.push(`${code}: ${detail}`),
    clear: async (projectId) => void raised.push(`cleared ${projectId}`),
  };
  return { ...desk, changes, raised, labels: () => desk.service.gitlab.world.issues[0]?.labels };
}
const status = (label: string) => rowOf('status', 'Status', { label });

describe('the status label', () => {
  test('is set, and the others taken away, in one request after the note', async () => {
    const { service, deps, changes, labels, raised } = await labelling(['bug', 'workplan::failed']);
    await write(service, status('workplan::generating'));

    await deliverOutbox(deps, never);

    expect(changes).toEqual([{ add: ['workplan::generating'], remove: ['workplan::failed'] }]);
    expect(labels()).toEqual(['bug', 'workplan::generating']);
    expect(raised).toEqual(['cleared 1']);
    expect(await service.gitlab.notes(1, 1)).toHaveLength(1);
  });

  test('that stands alone costs no request', async () => {
    const { service, deps, changes } = await labelling(['workplan::generating']);
    await write(service, status('workplan::generating'));

    await deliverOutbox(deps, never);

    expect(changes).toEqual([]);
  });

  test('is not set by a row that is not wanted any more', async () => {
    const { service, deps, changes } = await labelling();
    await write(service, status('workplan::generating'));
    const { discussions } = deps.gitlab;
    // Cancelled while our own notes are looked for.
    deps.gitlab.discussions = async (...given) => {
      service.store.run('run-a').row.status = 'CANCELED';
      return discussions(...given);
    };

    await deliverOutbox(deps, never);

    expect(changes).toEqual([]);
    expect(await service.gitlab.notes(1, 1)).toEqual([]);
  });

  test.each([
    ['GitLab forbids it', () => Promise.reject(new PermanentFailure('gitlab_forbidden', '403')), 'gitlab_forbidden'],
    ['GitLab leaves it out in silence', () => Promise.resolve([]), 'not_set'],
  ])('%s: a warning, and the note stands', async (_name, answer, detail) => {
    const { service, deps, raised } = await labelling();
    deps.gitlab.changeLabels = answer;
    await write(service, status('workplan::generating'));

    await deliverOutbox(deps, never);

    expect(raised).toEqual([`labels_refused: ${detail}`]);
    expect(await service.outbox.notesOfRun('run-a')).toHaveLength(1);
    expect(service.store.data.failures).toEqual([]);
  });

  test('that could not be set just now is tried again, and the note is not posted twice', async () => {
    const { service, deps, labels, writes } = await labelling();
    service.gitlab.failNext('changeLabels', new TransientFailure('gitlab_unavailable', '502'));
    await write(service, status('workplan::generating'));

    await deliverOutbox(deps, never);
    service.clock.advance(500);
    await deliverOutbox(deps, never);

    expect(labels()).toEqual(['workplan::generating']);
    expect(writes).toEqual(['createNote']);
  });

  test('is set also where the note cannot be posted', async () => {
    const { service, deps, labels } = await labelling();
    service.gitlab.failNext('createNote', new PermanentFailure('gitlab_forbidden', 'the discussion is locked'));
    await write(service, status('workplan::failed'));

    await deliverOutbox(deps, never);

    expect(labels()).toEqual(['workplan::failed']);
    expect(service.store.data.failures).toMatchObject([{ kind: 'status' }]);
  });
});

describe('a label that asked for something', () => {
  const plan = 'workplan-do::plan';
  function unlabel(event: number) {
    return { ...rowOf('unlabel', '', { runId: null, marker: marker({ kind: 'unlabel', event }) }), body: plan };
  }

  test('is taken away, and no note is written of it', async () => {
    const { service, deps, labels, writes } = await labelling();
    service.gitlab.relabel('alice', 1, { add: [plan, 'bug'] });
    const [event] = await service.gitlab.labelEvents(1, 1);
    await service.outbox.add([unlabel(event?.id ?? 0)], { actionKey: null, deliveryId: null });

    await deliverOutbox(deps, never);

    expect(labels()).toEqual(['bug']);
    expect(writes).toEqual([]);
    expect(service.store.data.outbox).toEqual([]);
  });

  test('stays when it was put on once more since: that asks once more', async () => {
    const { service, deps, labels, changes } = await labelling();
    service.gitlab.relabel('alice', 1, { add: [plan] });
    const [event] = await service.gitlab.labelEvents(1, 1);
    service.gitlab.relabel('alice', 1, { remove: [plan] });
    service.gitlab.relabel('alice', 1, { add: [plan] });
    await service.outbox.add([unlabel(event?.id ?? 0)], { actionKey: null, deliveryId: null });

    await deliverOutbox(deps, never);

    expect([labels(), changes]).toEqual([[plan], []]);
  });
});

test('what is to be told stands in the note as the run is now, not as it was when it was refused', async () => {
  const { service, deps } = await deliverer();
  const row = rowOf('notice', 'Planning', { marker: marker({ run: 'run-a', kind: 'status' }) });
  const line = { itemGlobalId: 501, runId: 'run-a', key: 'k', text: 'refused' };
  await service.outbox.add([row], { actionKey: null, deliveryId: null }, [line]);

  await deliverOutbox({ ...deps, statusNote: async () => `**Completed**\n\nHint\n\n${row.marker}` }, never);

  const [note] = await service.gitlab.notes(1, 1);
  expect(note?.body).toBe(`**Completed**\n\n- ⚠️ refused\n\nHint\n\n${row.marker}`);
});

test('a run that is gone is told nothing any more', async () => {
  const { service, deps } = await deliverer();
  await service.outbox.add([rowOf('notice', 'Planning')], { actionKey: null, deliveryId: null });

  await deliverOutbox({ ...deps, statusNote: async () => null }, never);

  expect(await service.gitlab.notes(1, 1)).toEqual([]);
});

test('warnings are cleared once a project, and again after the next', async () => {
  const calls: string[] = [];
  const warnings = clearingOnce({
    raise: async () => void calls.push('raise'),
    clear: async () => void calls.push('clear'),
  });

  await warnings.clear(1, 'x');
  await warnings.clear(1, 'x');
  await warnings.raise({ projectId: 1, code: 'x', detail: '' });
  await warnings.clear(1, 'x');

  expect(calls).toEqual(['clear', 'raise', 'clear']);
});
