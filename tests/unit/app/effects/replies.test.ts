import { describe, expect, test } from 'vitest';
import { readReplies } from '../../../../src/app/effects/replies.ts';
import { EVENT_VERSION, type EventOf, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, fold } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import type { Answer } from '../../../../src/domain/workplan/people.ts';
import type { GitLabAward, GitLabPort } from '../../../../src/ports/gitlab.ts';
import type { RunSettings } from '../../../../src/ports/run-store.ts';
import { createService, ids, personOf, questionOf, runSettings, startRun } from '../setup.ts';

const never = new AbortController().signal;

interface Options {
  gitlab?: Partial<GitLabPort>;
  allowedBots?: number[];
  settings?: Partial<RunSettings>;
  awards?: [keyof typeof ids, string][];
}

/** A run that was continued at a pause with these questions, whose notes stand on the item. */
async function asked(...questionIds: string[]) {
  const service = createService();
  const run = await startRun(service.store);
  const state = fold('run-a', run.events);
  record(state, { type: 'pinned', effectId: 'p', commit: null, language: 'en' });
  const threads = new Map<string, string>();
  await ask(service, state, threads, 'p1', questionIds);

  async function read(options: Options = {}): Promise<EventOf<'replies_read'>> {
    const awards = (options.awards ?? []).map(([username, name], index): GitLabAward => {
      const user = service.gitlab.world.users.find((known) => known.id === ids[username]);
      if (!user) throw new Error(username);
      return { id: index, name, user, createdAt: '2026-01-05T10:00:00.000Z' };
    });
    const pauseId = state.phase.kind === 'collecting' ? state.phase.pause.id : 'none';
    const event = await readReplies(
      {
        gitlab: { ...service.gitlab, noteAwards: async () => awards, ...options.gitlab },
        outbox: service.outbox,
        allowedBots: options.allowedBots ?? [],
      },
      state,
      { ...runSettings, ...options.settings },
      { id: 'e', pauseId },
      never,
    );
    if (event.type !== 'replies_read') throw new Error(event.type);
    return event;
  }

  return {
    service,
    state,
    read,
    reply: (username: keyof typeof ids, text: string, id = questionIds[0] ?? '') =>
      service.gitlab.say(username, 1, text, threads.get(id)),
    /** Continues at a next pause, after the answers read so far were recorded. */
    async next(event: EventOf<'replies_read'>, pauseId: string, questions: string[]) {
      record(state, event);
      await ask(service, state, threads, pauseId, questions);
    },
  };
}

function record(state: RunState, body: RunEventBody): void {
  apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
}

async function ask(
  service: ReturnType<typeof createService>,
  state: RunState,
  threads: Map<string, string>,
  pauseId: string,
  questions: string[],
) {
  record(state, {
    type: 'paused',
    pauseId,
    kind: questions.length > 0 ? 'question' : 'context_gate',
    movement: 'plan',
    questions: questions.map((id) => questionOf(id)),
    missing: [],
  });
  for (const id of questions) {
    const thread = await service.gitlab.createDiscussion(1, 1, `Question ${id}?`);
    threads.set(id, thread.id);
    const [note] = thread.notes;
    service.store.data.notes.push({
      runId: 'run-a',
      marker: `q=${id}`,
      kind: 'question',
      pauseId,
      questionId: id,
      noteId: note?.id ?? 0,
      discussionId: thread.id,
      url: '',
    });
  }
  record(state, { type: 'resumed', pauseId, by: personOf('alice'), via: 'api', decision: 'continue', reason: '' });
}

const said = (answers: readonly Answer[]) =>
  answers.map((answer) => [answer.questionId, answer.by.username, answer.optionIds]);

describe('eligible replies', () => {
  test('are those of members above Guest, with their role', async () => {
    const { read, reply } = await asked('scope');
    reply('bob', '2');

    const event = await read();

    expect(event.answers).toMatchObject([
      { questionId: 'scope', by: { username: 'bob', role: 'Reporter' }, optionIds: ['b'] },
    ]);
    expect(event.assume).toBe(false);
    expect(event.inputs).toMatchObject([
      { question: 'scope: Question scope?', answer: expect.stringContaining('Bob') },
    ]);
  });

  test.each([
    ['a Guest', 'carol'],
    ['no member', 'erin'],
    ['the service itself', 'planwright'],
  ] as const)('not those of %s', async (_name, username) => {
    const { read, reply } = await asked('scope');
    reply(username, '2');

    const event = await read();

    expect(event.answers).toEqual([]);
    expect(event.assume).toBe(true);
    expect(event.inputs[0]?.answer).toContain('NOT confirmed');
  });

  test('a list in the settings replaces the rule', async () => {
    const { read, reply } = await asked('scope');
    reply('carol', '2');
    reply('bob', '1');

    const event = await read({ settings: { roles: { ...runSettings.roles, answer: ['Guest'] } } });

    expect(said(event.answers)).toEqual([['scope', 'carol', ['b']]]);
  });

  test.each([
    [[], 0],
    [[ids.bob], 1],
  ])('bots only when allowed by id (%j)', async (allowedBots, count) => {
    const { service, read, reply } = await asked('scope');
    reply('bob', '2');
    const { discussions } = service.gitlab;
    const bots: GitLabPort['discussions'] = async (...given) =>
      (await discussions(...given)).map((thread) => ({
        ...thread,
        notes: thread.notes.map((note) => ({ ...note, author: { ...note.author, bot: true } })),
      }));

    expect((await read({ allowedBots, gitlab: { discussions: bots } })).answers).toHaveLength(count);
  });

  test.each(['system', 'internal'] as const)('no %s notes', async (flag) => {
    const { service, read, reply } = await asked('scope');
    reply('bob', '2');
    const { discussions } = service.gitlab;
    const flagged: GitLabPort['discussions'] = async (...given) =>
      (await discussions(...given)).map((thread) => ({
        ...thread,
        notes: thread.notes.map((note) => ({ ...note, [flag]: true })),
      }));

    expect((await read({ gitlab: { discussions: flagged } })).answers).toEqual([]);
  });

  test('of one person the newest counts; several people are all handed on', async () => {
    const { read, reply } = await asked('scope');
    reply('bob', '1');
    reply('alice', '1');
    reply('bob', '2');

    const event = await read();

    expect(said(event.answers)).toEqual([
      ['scope', 'alice', ['a']],
      ['scope', 'bob', ['b']],
    ]);
    expect(event.inputs[0]?.answer).toContain('contradict');
  });

  test.each([
    ['its author', 'bob', [['scope', 'bob', ['a']]]],
    ['a Maintainer', 'maria', [['scope', 'bob', ['a']]]],
    ['a Guest', 'carol', []],
    ['the service', 'planwright', []],
  ] as const)('edited last by %s', async (_name, editor, expected) => {
    const { service, read, reply } = await asked('scope');
    service.gitlab.edit(editor, 1, reply('bob', '2').id, '1');

    expect(said((await read()).answers)).toEqual(expected);
  });

  test('where nobody knows who edited, the author decides', async () => {
    const { service, read, reply } = await asked('scope');
    service.gitlab.edit('carol', 1, reply('bob', '2').id, '1');

    const event = await read({ gitlab: { lastEditors: async () => null } });

    expect(said(event.answers)).toEqual([['scope', 'bob', ['a']]]);
  });

  test('only of edited replies that could count the editor is asked for, once for all questions', async () => {
    const { service, read, reply } = await asked('scope', 'tier');
    const edited = [reply('bob', '2', 'scope'), reply('alice', '2', 'tier'), reply('carol', '2', 'scope')];
    reply('dave', '1', 'scope');
    for (const note of edited) service.gitlab.edit('maria', 1, note.id, '1');
    const asks: number[][] = [];

    await read({
      gitlab: {
        lastEditors: async (ids) => {
          asks.push([...ids]);
          return null;
        },
      },
    });

    expect(asks).toEqual([[edited[0]?.id, edited[1]?.id]]);
  });

  test('the newest of a person counts, reactions too', async () => {
    const { read, reply } = await asked('scope');
    reply('bob', '1');

    expect(said((await read({ awards: [['bob', 'two']] })).answers)).toEqual([['scope', 'bob', ['b']]]);
  });

  test('reactions of eligible people answer', async () => {
    const { read } = await asked('scope');

    const event = await read({
      awards: [
        ['bob', 'two'],
        ['carol', 'one'],
        ['erin', 'one'],
      ],
    });

    expect(said(event.answers)).toEqual([['scope', 'bob', ['b']]]);
  });

  test('each person’s membership is asked for once', async () => {
    const { service, read, reply } = await asked('scope', 'tier');
    reply('bob', '1', 'scope');
    reply('bob', '1', 'tier');
    const looked: number[] = [];
    const { member } = service.gitlab;

    await read({
      gitlab: {
        member: (projectId, userId) => {
          looked.push(userId);
          return member(projectId, userId);
        },
      },
    });

    expect(looked).toEqual([ids.bob]);
  });
});

describe('what is handed on', () => {
  test('questions without an answer go on as assumptions beside answered ones', async () => {
    const { read, reply } = await asked('scope', 'tier');
    reply('bob', '2', 'scope');

    const event = await read();

    expect(event.assume).toBe(false);
    expect(event.inputs.map((input) => input.answer.includes('NOT confirmed'))).toEqual([false, true]);
  });

  test('what was handed on unchanged is not handed on again', async () => {
    const { read, reply, next } = await asked('scope');
    reply('bob', '2');
    await next(await read(), 'p2', ['tier']);

    const event = await read();

    expect(event.inputs.map((input) => input.question)).toEqual(['tier: Question tier?']);
    expect(said(event.answers)).toEqual([['scope', 'bob', ['b']]]);
  });

  test('an answer that came late or changed is', async () => {
    const { read, reply, next } = await asked('scope');
    await next(await read(), 'p2', ['tier']);
    reply('bob', '2', 'scope');

    const event = await read();

    expect(event.inputs.map((input) => input.question)).toEqual(['scope: Question scope?', 'tier: Question tier?']);
    expect(event.assume).toBe(true);
  });

  test('an edited reply counts as it reads now', async () => {
    const { service, read, reply, next } = await asked('scope');
    const note = reply('bob', '2');
    await next(await read(), 'p2', ['tier']);
    service.gitlab.edit('bob', 1, note.id, '1');

    const event = await read();

    expect(said(event.answers)).toEqual([['scope', 'bob', ['a']]]);
    expect(event.inputs[0]?.question).toBe('scope: Question scope?');
  });

  test('a deleted reply does not count any more, and that is said', async () => {
    const { service, state, read, reply, next } = await asked('scope');
    const note = reply('bob', '2');
    await next(await read(), 'p2', ['tier']);
    await service.gitlab.deleteNote(1, 1, note.id);

    const event = await read();
    record(state, event);

    expect(event.answers).toEqual([]);
    expect(event.inputs[0]).toMatchObject({
      question: 'scope: Question scope?',
      answer: expect.stringContaining('NOT confirmed'),
    });
    expect(state.questions[0]?.state).toBe('open');
  });

  test('replies below a question note that was deleted count all the same', async () => {
    const { service, read, reply } = await asked('scope');
    reply('bob', '2');
    await service.gitlab.deleteNote(1, 1, service.store.data.notes[0]?.noteId ?? 0);

    expect(said((await read()).answers)).toEqual([['scope', 'bob', ['b']]]);
  });

  test('with its whole discussion an answer is deleted', async () => {
    const { service, read, reply, next } = await asked('scope');
    const note = reply('bob', '2');
    await next(await read(), 'p2', ['tier']);
    await service.gitlab.deleteNote(1, 1, service.store.data.notes[0]?.noteId ?? 0);
    await service.gitlab.deleteNote(1, 1, note.id);

    const event = await read();

    expect(event.answers).toEqual([]);
    expect(event.inputs[0]?.answer).toContain('NOT confirmed');
  });

  test('a context gate brings no answers and assumes nothing', async () => {
    const { read, next } = await asked('scope');
    await next(await read(), 'p2', []);

    const event = await read();

    expect(event).toMatchObject({ inputs: [], assume: false });
  });

  test('a question whose note was never posted keeps what is known of it', async () => {
    const { service, state, read } = await asked('scope');
    service.store.data.notes.length = 0;
    const known: Answer = { questionId: 'scope', by: personOf('bob'), optionIds: ['b'], text: '', via: 'carried' };
    const [question] = state.questions;
    if (question) question.answers = [known];

    expect((await read()).answers).toEqual([known]);
  });
});

test('without questions nothing is asked of GitLab', async () => {
  const service = createService();
  const run = await startRun(service.store);
  const refuse = () => {
    throw new Error('asked');
  };

  const event = await readReplies(
    {
      gitlab: { ...service.gitlab, me: refuse, discussions: refuse },
      outbox: service.outbox,
      allowedBots: [],
    },
    fold('run-a', run.events),
    runSettings,
    { id: 'e', pauseId: 'p1' },
    never,
  );

  expect(event).toMatchObject({ type: 'replies_read', answers: [], inputs: [], assume: false });
});
