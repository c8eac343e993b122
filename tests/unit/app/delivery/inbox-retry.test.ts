import { describe, expect, test } from 'vitest';
import { workInbox } from '../../../../src/app/delivery/inbox.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { deliveryOf, inboxOf, noteHook, told } from './inbox-desk.ts';

const never = new AbortController().signal;

describe('working on the inbox', () => {
  async function delivered(failure: Error | null) {
    const { service, deps } = inboxOf();
    const note = service.gitlab.say('alice', 1, '/workplan plan');
    await service.inbox.put(deliveryOf(noteHook(note)));
    if (failure) service.gitlab.failNext('note', failure);
    return { service, deps };
  }

  test('works until nothing is due', async () => {
    const { service, deps } = await delivered(null);
    await service.inbox.put(deliveryOf({ object_kind: 'push' }, 'd2'));

    expect(await workInbox(deps, never)).toBe(2);

    expect(service.inbox.state('d2')).toBe('done: ignored');
    expect(service.store.data.runs.size).toBe(1);
  });

  test('what fails for now is tried again, not before it was asked to', async () => {
    const { service, deps } = await delivered(new TransientFailure('gitlab_rate_limited', 'slow down', 7000));

    await workInbox(deps, never);

    expect(service.inbox.postponed).toMatchObject([{ id: 'd1', retryInMs: 7000 }]);
    service.clock.advance(7000);
    await workInbox(deps, never);
    expect(service.store.data.runs.size).toBe(1);
  });

  test('waits double, and after twelve tries it is given up', async () => {
    const { service, deps } = await delivered(null);
    for (let tries = 0; tries < 12; tries += 1)
      service.gitlab.failNext('note', new TransientFailure('gitlab_down', 'down'));

    for (let tries = 0; tries < 12; tries += 1) {
      await workInbox(deps, never);
      service.clock.advance(10 * 60_000);
    }

    expect(service.inbox.postponed.map(({ retryInMs }) => retryInMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000,
    ]);
    expect(service.inbox.state('d1')).toBe('failed: down');
  });

  test('what can never work is given up at once', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('failed: no');
  });

  test('a command that is given up is told to who gave it, with the code', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(told(service)).toMatchObject([
      { itemGlobalId: 501, projectId: 1, iid: 1, itemUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1' },
    ]);
    expect(told(service)[0]?.body).toMatch(/not_possible_now[\s\S]*gitlab_forbidden/);
  });

  describe('what ends the process each time', () => {
    async function ended(times: number, text = '/workplan plan') {
      const { service, deps } = inboxOf();
      await service.inbox.put(deliveryOf(noteHook(service.gitlab.say('alice', 1, text))));
      for (let time = 0; time < times; time += 1) {
        await service.inbox.take({ owner: `lost-${time}`, limit: 1, leaseMs: 1000 });
        service.clock.advance(2000);
      }
      return { service, deps };
    }

    test('is tried four times more', async () => {
      const { service, deps } = await ended(4);

      await workInbox(deps, never);

      expect(service.inbox.state('d1')).toBe('done: plan');
    });

    test('is set aside before it is looked at, and who gave it is told', async () => {
      const { service, deps } = await ended(5);

      await workInbox(deps, never);

      expect(service.inbox.state('d1')).toMatch(/^failed: set aside: 5 processes in a row ended/);
      expect(service.store.data.runs.size).toBe(0);
      expect(told(service)[0]?.body).toContain('not_possible_now');
      expect(service.log.lines).toContainEqual(
        expect.objectContaining({ level: 'error', message: 'delivery given up' }),
      );
    });

    test('is set aside although nobody can be told', async () => {
      const { service, deps } = await ended(5);
      deps.outbox = {
        ...deps.outbox,
        add: async () => {
          throw new TransientFailure('store_unavailable', 'away');
        },
      };

      await workInbox(deps, never).catch(() => undefined);

      expect(service.inbox.state('d1')).toMatch(/^failed: set aside/);
    });
  });

  test('sent again it is done after all', async () => {
    const { service, deps } = await delivered(new PermanentFailure('gitlab_forbidden', 'no'));
    await workInbox(deps, never);
    const [note] = await service.gitlab.notes(1, 1);
    if (!note) throw new Error('no note');

    await service.inbox.put(deliveryOf(noteHook(note)));
    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('done: plan');
  });

  test.each([
    ['what is no command', 'planwright is slow', 'alice'],
    ['a bot', '/workplan plan', 'planwright'],
  ])('of %s that is given up nobody is told', async (_name, text, username) => {
    const { service, deps } = inboxOf();
    await service.inbox.put(deliveryOf(noteHook(service.gitlab.say(username, 1, text))));
    // Unknown to itself at first, so that it fails before anything else is found.
    service.gitlab.failNext('me', new PermanentFailure('gitlab_forbidden', 'no'));

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('failed: no');
    expect(told(service)).toEqual([]);
  });

  test('a token of the service that has expired loses nothing: it is tried for days', async () => {
    const { service, deps } = await delivered(null);
    for (let tries = 0; tries < 100; tries += 1) {
      service.gitlab.failNext('note', new PermanentFailure('gitlab_unauthorized', '401'));
      await workInbox(deps, never);
      service.clock.advance(10 * 60_000);
    }

    await workInbox(deps, never);

    expect(service.inbox.state('d1')).toBe('done: plan');
    expect(told(service)).toEqual([]);
  });

  test('one that fails does not hold the others up', async () => {
    const { service, deps } = await delivered(new TransientFailure('gitlab_down', 'down'));
    await service.inbox.put({ ...deliveryOf({ object_kind: 'push' }, 'd2'), itemKey: 'none' });

    await workInbox(deps, never);

    expect(service.inbox.state('d2')).toBe('done: ignored');
  });

  test('takes nothing once it is stopped', async () => {
    const { service, deps } = await delivered(null);

    expect(await workInbox(deps, AbortSignal.abort())).toBe(0);
    expect(service.inbox.state('d1')).toBe('open');
  });
});
