import { describe, expect, test } from 'vitest';
import { rememberMembers } from '../../../src/app/members.ts';
import { lookAfterWaiting } from '../../../src/app/waiting.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { member, people } from '../../helpers/fakes/strict-gitlab.ts';
import { waitingRun } from './waiting-desk.ts';

const never = new AbortController().signal;

describe('a look at a waiting run', () => {
  test('counts what no event told: a reply that was deleted', async () => {
    const { service, deps, reply, shown } = await waitingRun();
    const note = reply('bob', '2');
    await lookAfterWaiting(deps, 1000, never);
    await service.gitlab.deleteNote(1, 1, note.id);

    expect(await lookAfterWaiting(deps, 1000, never)).toBe(1);
    expect(shown()).toBe('open');
  });

  test.each([
    ['closed', { state: 'closed' as const }, 'item_closed'],
    ['moved', { state: 'closed' as const, movedToId: 900 }, 'item_moved'],
  ])('ends the run of an item that was %s', async (_name, change, reason) => {
    const { service, deps } = await waitingRun('context_gate');
    Object.assign(service.gitlab.world.issues[0] ?? {}, change);

    expect(await lookAfterWaiting(deps, 1000, never)).toBe(1);
    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED', reason });
    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['cancel']);
  });

  test('ends the run of an item that was deleted, and posts nothing', async () => {
    const { service, deps } = await waitingRun();
    service.gitlab.world.issues.length = 0;

    expect(await lookAfterWaiting(deps, 1000, never)).toBe(1);
    expect(service.store.run('run-a').row).toMatchObject({ status: 'FAILED', reason: 'item_gone' });
    expect(service.store.data.outbox).toEqual([]);
  });

  test('waits on where the bot was taken out of the project: it may be put back', async () => {
    const { service, deps } = await waitingRun();
    deps.gitlab.issue = async () => null;
    deps.gitlab.project = async () => null;

    expect(await lookAfterWaiting(deps, 1000, never)).toBe(0);
    expect(service.store.run('run-a').row.status).toBe('NEEDS_INPUT');
  });

  test('of one that cannot be read is tried again with the next', async () => {
    const { service, deps } = await waitingRun();
    service.gitlab.failNext('issue', new Error('away'));

    expect(await lookAfterWaiting(deps, 1000, never)).toBe(0);
    expect(service.log.lines).toContainEqual(
      expect.objectContaining({ message: 'waiting run could not be looked after' }),
    );
  });
});

describe('memberships for what is only shown', () => {
  test('are asked for once in five minutes', async () => {
    const clock = createFakeClock();
    let asked = 0;
    const asking = async () => {
      asked += 1;
      return member(people.bob, 'Reporter');
    };
    const gitlab = rememberMembers({ member: asking }, clock);
    await gitlab.member(1, people.bob.id);
    clock.advance(299_000);
    await gitlab.member(1, people.bob.id);
    const before = asked;
    clock.advance(1000);
    await gitlab.member(1, people.bob.id);

    expect([before, asked]).toEqual([1, 2]);
  });

  test('a failure is not remembered', async () => {
    let isAway = true;
    const asking = async () => {
      if (isAway) throw new Error('away');
      return null;
    };
    const gitlab = rememberMembers({ member: asking }, createFakeClock());
    await gitlab.member(1, 12).catch(() => undefined);
    isAway = false;

    expect(await gitlab.member(1, 12)).toBeNull();
  });
});
