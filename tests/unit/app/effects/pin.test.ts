import { describe, expect, test } from 'vitest';
import { type PinDeps, pin } from '../../../../src/app/effects/pin.ts';
import { EVENT_VERSION, type EventOf, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { createService, personOf, questionOf, runSettings } from '../setup.ts';
import { deliverQuestion } from './asked.ts';

const never = new AbortController().signal;
const item = {
  globalId: 501,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 1,
  title: 'Limit the export',
  webUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
  reference: 'acme/sample#1',
};

function record(state: RunState, body: RunEventBody): void {
  apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
}

/** A new run that was handed the question `scope` of an earlier one, which nobody had answered. */
async function began(carried: EventOf<'run_started'>['carried'] = [{ question: questionOf('scope'), answers: [] }]) {
  const service = createService();
  const own = marker({ run: 'run-before', kind: 'question', pause: 'p1', q: 'scope' });
  const thread = await service.gitlab.createDiscussion(1, 1, `Question scope?\n\n${own}`);
  const state = initialState('run-b');
  const started = { goal: 'g', startedBy: personOf('alice'), item, interactive: true, reportDir: 'r', carried };
  record(state, { type: 'run_started', ...started });
  const deps: PinDeps = { gitlab: service.gitlab, outbox: service.outbox, allowedBots: [] };
  return {
    service,
    thread,
    state,
    pin: async (change: Partial<PinDeps['gitlab']> = {}) => {
      const gitlab = { ...deps.gitlab, ...change };
      record(state, await pin({ ...deps, gitlab }, state, runSettings, 'e', never));
      return state;
    },
  };
}

describe('pinning a run', () => {
  test('pins the head of the default branch', async () => {
    const { service, pin } = await began();

    expect((await pin()).commit).toBe(service.gitlab.commit);
  });

  test('reads what was answered to an earlier run’s question after that run had ended', async () => {
    const { service, thread, pin } = await began();
    service.gitlab.say('bob', 1, '2', thread.id);

    expect((await pin()).questions).toMatchObject([
      { state: 'answered', assumed: false, answers: [{ by: { username: 'bob' }, optionIds: ['b'], via: 'reply' }] },
    ]);
  });

  test.each([
    ['not answered', null, 'NOT confirmed: [a] First'],
    ['answered since', '2', 'Bob @bob (Reporter): chose [b] Second'],
  ])('tells agents of it from the start: %s', async (_name, text, told) => {
    const { service, thread, pin } = await began();
    if (text !== null) service.gitlab.say('bob', 1, text, thread.id);

    expect((await pin()).userInputs).toMatchObject([
      { question: 'scope: Question scope?', answer: expect.stringContaining(told) },
    ]);
  });

  test('by the same rule as at Continue', async () => {
    const { service, thread, pin } = await began();
    service.gitlab.say('carol', 1, '2', thread.id);

    expect((await pin()).questions).toMatchObject([{ state: 'open', answers: [] }]);
  });

  test('what is not on the item keeps what is known of it', async () => {
    const known = { questionId: 'other', by: personOf('bob'), optionIds: ['b'], text: '', via: 'carried' as const };
    const { pin } = await began([{ question: questionOf('other'), answers: [known] }]);

    expect((await pin()).questions).toMatchObject([{ state: 'answered', answers: [known] }]);
  });

  test('an answer whose discussion was deleted since does not count any more', async () => {
    const known = { questionId: 'scope', by: personOf('bob'), optionIds: ['b'], text: '', via: 'carried' as const };
    const { service, thread, pin } = await began([{ question: questionOf('scope'), answers: [known] }]);
    const noteId = thread.notes[0]?.id ?? 0;
    const note = { runId: 'run-before', pauseId: 'p1', questionId: 'scope', noteId, discussionId: thread.id };
    await deliverQuestion(service, note);
    await service.gitlab.deleteNote(1, 1, noteId);

    expect((await pin()).questions).toMatchObject([{ state: 'open', answers: [] }]);
  });

  test('a question note that was edited is found by where it stands', async () => {
    const { service, thread, pin } = await began();
    const noteId = thread.notes[0]?.id ?? 0;
    const note = { runId: 'run-before', pauseId: 'p1', questionId: 'scope', noteId, discussionId: thread.id };
    await deliverQuestion(service, note);
    service.gitlab.edit('maria', 1, noteId, 'Nothing to see here.');
    service.gitlab.say('bob', 1, '2', thread.id);

    expect((await pin()).questions).toMatchObject([{ answers: [{ by: { username: 'bob' }, optionIds: ['b'] }] }]);
  });

  test('without carried questions no discussion is read', async () => {
    const { pin } = await began([]);

    const state = await pin({
      discussions: () => {
        throw new Error('asked');
      },
    });

    expect(state.phase).toEqual({ kind: 'entering', movement: null });
  });

  test.each([
    ['project', 'project_gone'],
    ['issue', 'item_gone'],
  ] as const)('without its %s the run fails as %s', async (call, code) => {
    const { pin } = await began();

    expect((await pin({ [call]: async () => null })).phase).toMatchObject({ kind: 'pin_failed', code });
  });

  test.each([
    ['closed', { state: 'closed' }, 'item_closed'],
    ['moved', { state: 'closed', movedToId: 7 }, 'item_moved'],
  ] as const)('of an item that was %s while it was started the run ends as %s', async (_what, change, reason) => {
    const { service, pin } = await began();
    const issue = await service.gitlab.issue(1, 1);

    const state = await pin({ issue: async () => issue && { ...issue, ...change } });

    expect(state.phase).toMatchObject({ kind: 'ended', status: 'canceled', reason });
  });
});
