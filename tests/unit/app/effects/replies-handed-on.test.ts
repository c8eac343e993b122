import { describe, expect, test } from 'vitest';
import { readReplies } from '../../../../src/app/effects/replies.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import type { Answer } from '../../../../src/domain/workplan/people.ts';
import { createService, personOf, runSettings, startRun } from '../setup.ts';
import { asked, record, said } from './asked.ts';

const never = new AbortController().signal;

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
