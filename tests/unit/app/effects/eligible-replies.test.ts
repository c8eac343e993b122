/** "Eligible replies" (spec 2), sentence by sentence: role × way × what became of the reply, as GitLab has it at Continue. */
import { describe, expect, test } from 'vitest';
import type { GitLabDiscussion, GitLabNote, GitLabPort } from '../../../../src/ports/gitlab.ts';
import { ids, runSettings } from '../setup.ts';
import { asked, said } from './asked.ts';

const LEVELS = {
  'no member': 0,
  'Minimal Access': 5,
  Guest: 10,
  Planner: 15,
  Reporter: 20,
  'Security Manager': 25,
  Developer: 30,
  Maintainer: 40,
  Owner: 50,
} as const;
type Role = keyof typeof LEVELS;
const ROLES = Object.keys(LEVELS) as Role[];
const ABOVE_GUEST: Role[] = ['Planner', 'Reporter', 'Security Manager', 'Developer', 'Maintainer', 'Owner'];

type Way = 'a reply' | 'a reaction';
const WAYS: Way[] = ['a reply', 'a reaction'];

/** Whose answer counts: of bob, in each role, active or not. */
async function counting(way: Way, options: { list?: string[]; active?: boolean } = {}): Promise<Role[]> {
  const may: Role[] = [];
  for (const role of ROLES) {
    const { service, read, reply } = await asked('scope');
    const { roles } = service.gitlab.world;
    if (role === 'no member') delete roles[ids.bob];
    else roles[ids.bob] = { accessLevel: LEVELS[role], role, active: options.active ?? true };
    if (way === 'a reply') reply('bob', '2');
    const event = await read({
      ...(way === 'a reaction' ? { awards: [['bob', 'two']] } : {}),
      ...(options.list ? { settings: { roles: { ...runSettings.roles, answer: options.list } } } : {}),
    });
    if (event.answers.length > 0) may.push(role);
    else expect(event.assume).toBe(true);
  }
  return may;
}

describe.each(WAYS)('%s', (way) => {
  test('counts of an active member above Guest', async () => {
    expect(await counting(way)).toEqual(ABOVE_GUEST);
  });

  test('counts of nobody whose account or membership is not active', async () => {
    expect(await counting(way, { active: false })).toEqual([]);
  });

  test.each([
    [
      ['Guest', 'Owner'],
      ['Guest', 'Owner'],
    ],
    [['planner'], ['Planner']],
    [
      ['Security Manager', 'Minimal Access'],
      ['Minimal Access', 'Security Manager'],
    ],
  ])('counts by the list of the settings alone where there is one: %j', async (list, expected) => {
    expect(await counting(way, { list })).toEqual(expected);
  });
});

type Change = (note: GitLabNote, threads: GitLabDiscussion[]) => void;

/** What stands on the item at Continue: bob's `2`, changed. */
async function withNotes(change: Change, allowedBots: number[] = []) {
  const { service, read, reply } = await asked('scope');
  const { id } = reply('bob', '2');
  const { discussions } = service.gitlab;
  const changed: GitLabPort['discussions'] = async (...given) => {
    const threads = await discussions(...given);
    const note = threads.flatMap((thread) => thread.notes).find((known) => known.id === id);
    if (!note) throw new Error('the reply is gone');
    change(note, threads);
    return threads;
  };
  return read({ gitlab: { discussions: changed }, allowedBots });
}

describe('what stands below a question', () => {
  const rows: [what: string, change: Change, chosen: string[] | null][] = [
    ['a reply', () => undefined, ['b']],
    [
      'one that was written before the pause was recorded',
      (note) =>
        void Object.assign(note, { createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-01-01T00:00:00.000Z' }),
      ['b'],
    ],
    ['one that reads differently now', (note) => void Object.assign(note, { body: '1' }), ['a']],
    ['one that was emptied', (note) => void Object.assign(note, { body: '' }), null],
    [
      'one that was deleted',
      (note, threads) => {
        for (const thread of threads) thread.notes = thread.notes.filter((each) => each !== note);
      },
      null,
    ],
    ['a system note', (note) => void Object.assign(note, { system: true }), null],
    ['an internal note', (note) => void Object.assign(note, { internal: true }), null],
    ['one of a bot', (note) => void Object.assign(note, { author: { ...note.author, bot: true } }), null],
    [
      'one of the service',
      (note) => void Object.assign(note, { author: { ...note.author, id: ids.planwright } }),
      null,
    ],
    [
      'one of a deleted account',
      (note) => void Object.assign(note, { author: { id: 0, username: 'ghost', name: 'Ghost User', bot: false } }),
      null,
    ],
    ['a quote of the question', (note) => void Object.assign(note, { body: '> 2. Second' }), null],
    ['a forged payload', (note) => void Object.assign(note, { body: '<!-- duo-question {"id":"scope"} -->' }), null],
    [
      'one of somebody renamed since',
      (note) => void Object.assign(note, { author: { ...note.author, username: 'robert' } }),
      ['b'],
    ],
  ];
  test.each(rows)('%s', async (_what, change, chosen) => {
    const { answers, assume } = await withNotes(change);

    expect(answers[0]?.optionIds ?? null).toEqual(chosen);
    expect(assume).toBe(chosen === null);
  });

  test('one of a bot that is allowed by its numeric id', async () => {
    const { answers } = await withNotes(
      (note) => void Object.assign(note, { author: { ...note.author, bot: true } }),
      [ids.bob],
    );

    expect(said(answers)).toEqual([['scope', 'bob', ['b']]]);
  });

  test('a question is what the service stored, never what its note says now', async () => {
    const { service, read, reply } = await asked('scope');
    reply('bob', '2');
    const question = service.store.data.notes[0]?.noteId ?? 0;
    service.gitlab.edit('maria', 1, question, 'Which?\n\n1. Second\n2. First');

    expect(said((await read()).answers)).toEqual([['scope', 'bob', ['b']]]);
  });
});

describe('of one person the newest counts', () => {
  test.each([
    [['1', '2'], ['b']],
    [['2', 'Neither of them'], []],
    [['2', '> 1'], ['b']],
    [['2', '/workplan continue'], ['b']],
    [['2', 'thanks'], []],
  ])('%j', async (replies, chosen) => {
    const { read, reply } = await asked('scope');
    for (const text of replies) reply('bob', text);

    const { answers } = await read();

    expect(answers).toMatchObject([{ by: { username: 'bob' }, optionIds: chosen }]);
  });
});

describe('of several people', () => {
  test.each([
    [
      'that agree',
      [
        ['bob', '1'],
        ['maria', 'yes'],
      ],
      'nothing said',
    ],
    [
      'that contradict each other',
      [
        ['bob', '1'],
        ['maria', '2'],
      ],
      'contradict',
    ],
    [
      'one of them in own words',
      [
        ['bob', '1'],
        ['maria', 'Both'],
      ],
      'contradict',
    ],
    [
      'all in own words',
      [
        ['bob', 'This'],
        ['maria', 'That'],
      ],
      'answered differently',
    ],
  ] as const)('%s', async (_name, replies, told) => {
    const { read, reply } = await asked('scope');
    for (const [username, text] of replies) reply(username, text);

    const [input] = (await read()).inputs;

    for (const words of ['Bob @bob (Reporter)', 'Maria @maria (Maintainer)']) expect(input?.answer).toContain(words);
    for (const words of ['contradict', 'answered differently'])
      expect(input?.answer.includes(words)).toBe(words === told);
  });
});

test('with no eligible reply at all the run goes on with the recommendations, as assumptions that are not confirmed', async () => {
  const { read, reply } = await asked('scope', 'tier');
  reply('carol', '2', 'scope');

  const event = await read();

  expect(event.assume).toBe(true);
  expect(event.inputs.map(({ answer }) => answer)).toEqual(
    ['scope', 'tier'].map((id) =>
      expect.stringMatching(new RegExp(`NOT confirmed: \\[a\\] First[\\s\\S]*"${id}" and confirmed false`)),
    ),
  );
});
