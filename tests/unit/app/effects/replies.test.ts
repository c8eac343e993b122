import { describe, expect, test } from 'vitest';
import type { GitLabPort } from '../../../../src/ports/gitlab.ts';
import { ids, runSettings } from '../setup.ts';
import { asked, said } from './asked.ts';

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
