import { describe, expect, test } from 'vitest';
import { act } from '../../../../src/app/actions/act.ts';
import type { ActionName } from '../../../../src/app/actions/types.ts';
import { claimRun, createService, pauseRun, questionRow, requestOf, startRun } from '../setup.ts';

async function paused(kind: 'question' | 'context_gate' | 'approval' = 'question', noteId?: number) {
  const service = createService();
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', kind, noteId);
  return service;
}

/** A second pause after the first was continued. */
async function pausedTwice(noteIds: [number, number]) {
  const service = await paused('question', noteIds[0]);
  await act(service.deps, await requestOf(service, 'continue'));
  await claimRun(service.store, 'run-a');
  await pauseRun(service, 'run-a', 'p2', 'question', noteIds[1]);
  return service;
}

describe('continue', () => {
  test('claims the current pause: visible at once, and a worker is woken', async () => {
    const service = await paused();

    const result = await act(service.deps, await requestOf(service, 'continue'));

    expect(result).toMatchObject({ kind: 'accepted', status: 'GENERATING', run: { pause: null } });
    expect(service.store.run('run-a').events.at(-1)).toMatchObject({
      type: 'resumed',
      pauseId: 'p1',
      by: { username: 'alice', role: 'Developer' },
      decision: 'continue',
    });
    expect(service.queue.runs).toEqual(['run-a']);
  });

  test('what people see says so in the same moment', async () => {
    const service = await paused('context_gate');

    await act(service.deps, await requestOf(service, 'continue'));

    expect(service.store.run('run-a').row.view).toMatchObject({ gate: null });
    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['status']);
  });

  test('hands its lease on', async () => {
    const service = await paused();

    await act(service.deps, await requestOf(service, 'continue'));

    expect((await claimRun(service.store, 'run-a')).leaseToken).toBe('token-1');
  });

  test.each(['held', 'unavailable'])('works with the lease %s', async (how) => {
    const service = await paused();
    if (how === 'held') await service.lease.acquire(501, 30_000);
    else service.lease.down(true);

    expect((await act(service.deps, await requestOf(service, 'continue'))).kind).toBe('accepted');
  });

  test('of twenty at the same moment one wins', async () => {
    const service = await paused();
    const request = await requestOf(service, 'continue', { pauseId: 'p1' });

    const results = await Promise.all(Array.from({ length: 20 }, () => act(service.deps, request)));

    expect(results.filter((result) => result.kind === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'refused' && result.code === 'already_continued')).toHaveLength(
      19,
    );
  });

  test('of a pause that is over changes nothing and gives its lease back', async () => {
    const service = await pausedTwice([1, 2]);
    await service.lease.release({ key: 'lease:501', token: 'token-1' });

    const result = await act(service.deps, await requestOf(service, 'continue', { pauseId: 'p1' }));

    expect(result).toMatchObject({ kind: 'refused', code: 'already_continued' });
    expect(service.store.run('run-a').row.pause?.id).toBe('p2');
    expect(service.lease.ttl('lease:501')).toBeNull();
  });

  test('of a pause that never was, on a run at work, is not_resumable', async () => {
    const service = createService();
    await startRun(service.store);

    const result = await act(service.deps, await requestOf(service, 'continue', { pauseId: 'other' }));

    expect(result).toMatchObject({ kind: 'refused', code: 'not_resumable' });
  });

  test.each([
    ['no run at all', async () => createService(), 'not_resumable'],
    [
      'a run at work',
      async () => {
        const service = createService();
        await startRun(service.store);
        return service;
      },
      'already_continued',
    ],
    [
      'a run that has ended',
      async () => {
        const service = await paused();
        await act(service.deps, await requestOf(service, 'cancel'));
        return service;
      },
      'not_resumable',
    ],
  ] as const)('is refused on %s', async (_name, arrange, code) => {
    const service = await arrange();

    expect(await act(service.deps, await requestOf(service, 'continue'))).toMatchObject({ kind: 'refused', code });
  });
});

describe('continue by comment means the newest pause whose first note is older', () => {
  const by = (noteId: number) => ({ via: 'comment' as const, noteId });

  test('a comment below the question continues it', async () => {
    const service = await paused('question', 100);

    expect((await act(service.deps, await requestOf(service, 'continue', by(101)))).kind).toBe('accepted');
  });

  test('a comment that was there before the question does not', async () => {
    const service = await paused('question', 100);

    const result = await act(service.deps, await requestOf(service, 'continue', by(99)));

    expect(result).toMatchObject({ kind: 'refused', code: 'not_resumable' });
    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
  });

  test('a comment between two pauses means the first, which is over', async () => {
    const service = await pausedTwice([100, 200]);

    const result = await act(service.deps, await requestOf(service, 'continue', by(150)));

    expect(result).toMatchObject({ kind: 'refused', code: 'already_continued' });
    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
  });

  test('a comment after both means the second', async () => {
    const service = await pausedTwice([100, 200]);

    expect((await act(service.deps, await requestOf(service, 'continue', by(201)))).kind).toBe('accepted');
  });

  describe('while its notes are being posted', () => {
    async function posting() {
      const service = await paused();
      service.store.data.outbox.push({
        ...questionRow,
        id: 1,
        attempts: 1,
        unanswered: 1,
        dueAt: 0,
        owner: null,
        heldUntil: 0,
      });
      const said = async (seconds: number) => {
        const note = service.gitlab.say('alice', 1, '/workplan continue');
        const notedAt = new Date(service.clock.now().getTime() - seconds * 1000).toISOString();
        return act(service.deps, await requestOf(service, 'continue', { ...by(note.id), notedAt }));
      };
      return { service, said };
    }

    test('one that nobody has recorded yet is found on the item by its marker', async () => {
      const { service, said } = await posting();
      await service.gitlab.createDiscussion(1, 1, 'Which?\n\n<!-- planwright:run=run-a;kind=question;pause=p1;q=q -->');

      expect((await said(1)).kind).toBe('accepted');
    });

    test('a comment of just now waits a moment: one may be on its way', async () => {
      const { service, said } = await posting();

      await expect(said(14)).rejects.toMatchObject({ name: 'TransientFailure', code: 'pause_not_posted' });
      expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
    });

    test('then it was written before all of them, and holds back nothing longer', async () => {
      const { service, said } = await posting();

      expect(await said(15)).toMatchObject({ kind: 'refused', code: 'not_resumable' });
      expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
    });

    test('one below the comment does not count', async () => {
      const { service } = await posting();
      const note = service.gitlab.say('alice', 1, '/workplan continue');
      await service.gitlab.createDiscussion(1, 1, 'Which?\n\n<!-- planwright:run=run-a;kind=question;pause=p1;q=q -->');

      const result = await act(service.deps, await requestOf(service, 'continue', by(note.id)));

      expect(result).toMatchObject({ kind: 'refused', code: 'not_resumable' });
    });
  });

  test.each([
    ['after', '2026-01-05T09:00:02.000Z', 'accepted'],
    ['before', '2026-01-05T09:00:00.000Z', 'refused'],
  ])('a pause whose notes could never be posted is meant by a comment written %s it began', async (_n, at, kind) => {
    const service = await paused();
    const request = await requestOf(service, 'continue', { ...by(500), notedAt: at });

    expect((await act(service.deps, request)).kind).toBe(kind);
  });

  test('the same comment delivered twice is a duplicate', async () => {
    const service = await paused('question', 100);
    const request = await requestOf(service, 'continue', { ...by(101), cause: { actionKey: 'k', deliveryId: null } });
    await act(service.deps, request);

    expect(await act(service.deps, request)).toEqual({ kind: 'duplicate' });
  });
});

describe('the kind of the pause', () => {
  test.each([
    ['continue', 'approval', 'not_resumable'],
    ['approve', 'question', 'not_resumable'],
    ['reject', 'context_gate', 'not_resumable'],
  ] as const)('%s does not fit %s', async (action, kind, code) => {
    const service = await paused(kind);

    expect(await act(service.deps, await requestOf(service, action as ActionName))).toMatchObject({ code });
    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
  });

  test.each(['approve', 'reject'] as const)('%s decides an approval, with its reason', async (action) => {
    const service = await paused('approval');

    await act(service.deps, await requestOf(service, action, { argument: 'because' }));

    expect(service.store.run('run-a').events.at(-1)).toMatchObject({
      type: 'resumed',
      decision: action,
      reason: 'because',
    });
  });
});
