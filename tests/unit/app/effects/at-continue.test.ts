/** Items and people that changed while a run waited, as they are found at Continue. */
import { describe, expect, test } from 'vitest';
import { announce } from '../../../../src/app/announce.ts';
import { pin } from '../../../../src/app/effects/pin.ts';
import { readReplies } from '../../../../src/app/effects/replies.ts';
import type { EventOf, RunEventBody } from '../../../../src/domain/run/events.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { createService, ids, personOf, questionOf, runSettings, startRun } from '../setup.ts';
import { record } from './asked.ts';

const never = new AbortController().signal;

/** A run of alice's, pinned and then paused; `continued` by somebody, it reads what became of its item. */
async function waiting(kind: 'question' | 'context_gate' = 'context_gate') {
  const service = createService();
  const run = await startRun(service.store);
  const state = fold('run-a', run.events);
  const deps = { gitlab: service.gitlab, outbox: service.outbox, allowedBots: [] };
  record(state, await pin(deps, state, runSettings, 'p', never));
  const pause = (id: string): EventOf<'paused'> => ({
    type: 'paused',
    pauseId: id,
    kind,
    movement: 'plan',
    questions: kind === 'question' ? [questionOf(id)] : [],
    missing: kind === 'question' ? [] : ['Who sees it?'],
  });
  const [issue] = service.gitlab.world.issues;
  if (!issue) throw new Error('no issue');

  async function continued(by: keyof typeof ids = 'alice', pauseId = 'p1'): Promise<RunEventBody> {
    record(state, pause(pauseId));
    record(state, { type: 'resumed', pauseId, by: personOf(by), via: 'api', decision: 'continue', reason: '' });
    const event = await readReplies(deps, state, runSettings, { id: 'e', pauseId }, never);
    record(state, event);
    return event;
  }
  /** What the next gate's note says. */
  function gateNote(): string {
    const paused: RunEventBody = { ...pause('p9'), kind: 'context_gate', questions: [], missing: ['Who sees it?'] };
    record(state, paused);
    return announce(state, [paused], runSettings).outbox.find((row) => row.kind === 'gate')?.body ?? '';
  }
  const statusNote = () =>
    announce(state, [{ type: 'answers_seen', questionIds: [] }], runSettings).outbox.at(-1)?.body;
  return { service, state, issue, continued, gateNote, statusNote };
}

describe('an item', () => {
  test.each([
    ['closed', { state: 'closed' as const }, { type: 'ended', status: 'canceled', reason: 'item_closed' }],
    ['moved', { state: 'closed' as const, movedToId: 77 }, { type: 'ended', status: 'canceled', reason: 'item_moved' }],
  ])('that was %s ends the run as cancelled, never as a failure', async (_name, change, expected) => {
    const { issue, continued } = await waiting();
    Object.assign(issue, change);

    expect(await continued()).toMatchObject(expected);
  });

  test('that was deleted, or that the bot may not see any more, ends it with that reason', async () => {
    const { service, continued } = await waiting();
    service.gitlab.world.issues.length = 0;

    expect(await continued()).toMatchObject({ type: 'replies_failed', code: 'item_gone' });
  });

  test.each([
    ['reopened', { state: 'opened' as const }],
    ['made confidential', { confidential: true }],
    ['renamed', { title: 'Another title' }],
  ])('that was %s goes on', async (_name, change) => {
    const { issue, continued } = await waiting();
    Object.assign(issue, change);

    expect(await continued()).toMatchObject({ type: 'replies_read' });
  });
});

describe('a context gate that asks again', () => {
  test('says so when nothing was added', async () => {
    const { continued, gateNote } = await waiting();
    await continued();

    expect(gateNote()).toContain('has not changed');
  });

  test('asks as before when something was', async () => {
    const { issue, continued, gateNote } = await waiting();
    issue.description += '\nOnly the sales team sees it.';
    await continued();

    expect(gateNote()).not.toContain('has not changed');
  });

  test('blanks are nothing', async () => {
    const { issue, continued, gateNote } = await waiting();
    issue.description += ' \n';
    await continued();

    expect(gateNote()).toContain('has not changed');
  });

  test('after a question it asks for the first time', async () => {
    const { continued, gateNote } = await waiting('question');
    await continued();

    expect(gateNote()).not.toContain('has not changed');
  });
});

describe('who started the run', () => {
  test.each([
    ['is still a member', (world: { roles: Record<number, unknown> }) => world, 'alice'],
    [
      'is a Guest by now: the run keeps its identity',
      (world: { roles: Record<number, unknown> }) => {
        world.roles[ids.alice] = { accessLevel: 10, role: 'Guest' };
      },
      'alice',
    ],
    [
      'has left the project',
      (world: { roles: Record<number, unknown> }) => {
        delete world.roles[ids.alice];
      },
      'maria',
    ],
  ])('%s: the next note mentions %s', async (_name, change, told) => {
    const { service, state, continued, gateNote } = await waiting();
    change(service.gitlab.world);
    await continued('maria');

    expect(gateNote()).toContain(`@${told}`);
    expect(state.startedBy?.username).toBe('alice');
  });

  test('and has left is named in the status note, beside who is told instead', async () => {
    const { service, continued, statusNote } = await waiting();
    delete service.gitlab.world.roles[ids.alice];
    await continued('maria');

    expect(statusNote()).toContain('alice, who started this, is no longer in the project; maria is told instead.');
  });

  test('and comes back and continues is told again', async () => {
    const { service, state, continued, gateNote } = await waiting();
    const { [ids.alice]: role } = service.gitlab.world.roles;
    delete service.gitlab.world.roles[ids.alice];
    await continued('maria');
    if (role) service.gitlab.world.roles[ids.alice] = role;
    await continued('alice', 'p2');

    expect(gateNote()).toContain('@alice');
    expect(state.told).toBeNull();
  });
});
