import { describe, expect, test } from 'vitest';
import { type Reaction, type Reply, readAnswers, toInputs } from '../../../../src/domain/workplan/answers.ts';
import type { Answer, Person } from '../../../../src/domain/workplan/people.ts';
import type { Question } from '../../../../src/domain/workplan/schema.ts';
import { closed, open } from './plans.ts';

const ALICE: Person = { id: 1, username: 'alice', role: 'Developer' };
const BOB: Person = { id: 2, username: 'bob', role: 'Reporter' };

function reply(text: string, author = ALICE, minute = 1): Reply {
  return { author, text, createdAt: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`, noteId: minute };
}

function reaction(name: string, minute = 1, user = ALICE): Reaction {
  return { user, name, createdAt: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z` };
}

function read(question: Question, text: string): Answer | undefined {
  return readAnswers({ question, replies: [reply(text)], awards: [], bot: 'planwright' })[0];
}

describe('a reply that chooses an option', () => {
  test.each([
    ['a number', '2', ['xlsx']],
    ['a number with a dot', '2.', ['xlsx']],
    ['a number with a parenthesis', '2)', ['xlsx']],
    ['a full-width number', '２', ['xlsx']],
    ['a letter', 'b', ['xlsx']],
    ['a letter with a parenthesis', 'B)', ['xlsx']],
    ['a word and a number', 'option 2', ['xlsx']],
    ['a word and a letter', 'Option B', ['xlsx']],
    ['Japanese', '選択肢2', ['xlsx']],
    ['a number in bold', '**2**', ['xlsx']],
    ['its label', 'excel', ['xlsx']],
    ['its label with a full stop', 'CSV file.', ['csv']],
    ['its id', 'xlsx', ['xlsx']],
    ['yes', 'yes', ['csv']],
    ['OK', 'OK!', ['csv']],
    ['recommended', 'Recommended', ['csv']],
    ['はい', 'はい', ['csv']],
    ['推奨でお願いします', '推奨でお願いします。', ['csv']],
    ['a thumb', '👍', ['csv']],
    ['a number and a reason', '2) because of the formulas', ['xlsx']],
    ['a number and a reason in a new line', '2\nbecause of the formulas', ['xlsx']],
    ['a word, a number and a reason', 'Option 2 because of the formulas', ['xlsx']],
    ['yes and a remark', 'Yes, but keep it small', ['csv']],
    ['a quote before', '> Which format?\n\n2', ['xlsx']],
    ['a command after', '2\n\n/workplan continue', ['xlsx']],
    ['a mention command after', '2\n@planwright continue', ['xlsx']],
  ])('%s', (_name, text, optionIds) => {
    expect(read(closed(), text)?.optionIds).toEqual(optionIds);
  });
});

describe('a reply in own words', () => {
  test.each([
    ['a sentence', 'Neither, use Parquet.'],
    ['no', 'no'],
    ['a sentence that begins with a number', '2 formats would be better'],
    ['a decimal number', '1.5 MB at most'],
    ['a sentence that begins with a letter', 'A file would do'],
    ['a number out of range', '7'],
    ['several numbers where one is wanted', '1, 2'],
  ])('%s chooses nothing and is kept', (_name, text) => {
    expect(read(closed(), text)).toMatchObject({ optionIds: [], text });
  });

  test.each([
    ['only a quote', '> 2'],
    ['only a command', '/workplan continue'],
    ['only a comment', '<!-- 2 -->'],
    ['only code', '```\n2\n```'],
    ['nothing', '  \n'],
  ])('%s is no answer', (_name, text) => {
    expect(read(closed(), text)).toBeUndefined();
  });

  test('quotes and commands are taken out of it', () => {
    expect(read(closed(), '> Which?\nUse Parquet.\n/workplan continue\nPlease.')?.text).toBe('Use Parquet.\nPlease.');
  });
});

describe('where several may be chosen', () => {
  const multiple = closed({ multiple: true });
  test.each([
    ['1, 3', ['csv', 'json']],
    ['3 and 1', ['csv', 'json']],
    ['a + c', ['csv', 'json']],
    ['1 3', ['csv', 'json']],
    ['1、3', ['csv', 'json']],
    ['2', ['xlsx']],
    ['yes', ['csv']],
  ])('%s', (text, optionIds) => {
    expect(read(multiple, text)?.optionIds).toEqual(optionIds);
  });
});

describe('an open question', () => {
  test('a number is a text', () => {
    expect(read(open(), '2')).toMatchObject({ optionIds: [], text: '2' });
  });

  test('a reaction takes the proposed answer', () => {
    const [answer] = readAnswers({ question: open(), replies: [], awards: [reaction('thumbsup')] });
    expect(answer).toMatchObject({ optionIds: [], text: '10,000 rows.', via: 'emoji' });
  });

  test('yes is told as taking the proposed answer', () => {
    const answers = readAnswers({ question: open(), replies: [reply('yes')], awards: [] });
    expect(toInputs({ questions: [open()], answers })[0]?.answer).toContain('10,000 rows.');
  });
});

describe('the marker of an answer card', () => {
  test.each([
    ['one option', 'Excel\n\n<!-- duo-answer: xlsx -->', ['xlsx'], ''],
    ['up to three spaces before', 'Excel\n\n   <!-- duo-answer: xlsx -->', ['xlsx'], ''],
    ['something else', 'Use Parquet.\n\n<!-- duo-answer: rejected -->', [], 'Use Parquet.'],
    ['the marker before the text', '<!-- duo-answer: xlsx -->\nwith formulas', ['xlsx'], 'with formulas'],
    ['the first of two', '<!-- duo-answer: xlsx -->\n<!-- duo-answer: csv -->', ['xlsx'], ''],
    ['two ids where one is wanted', '<!-- duo-answer: xlsx,csv -->', ['csv'], ''],
  ])('%s', (_name, text, optionIds, words) => {
    expect(read(closed(), text)).toMatchObject({ optionIds, text: words, via: 'marker' });
  });

  test('several options and a typed one', () => {
    const answer = read(
      closed({ multiple: true }),
      '- CSV file\n- JSON\n- Parquet\n\n<!-- duo-answer: json,csv,rejected -->',
    );
    expect(answer).toMatchObject({ optionIds: ['csv', 'json'], text: '- Parquet', via: 'marker' });
  });

  test.each([
    ['in a quote', '> <!-- duo-answer: xlsx -->\n\nI prefer this.'],
    ['inside a line', 'see <!-- duo-answer: xlsx -->'],
    ['in a fence', '```\n<!-- duo-answer: xlsx -->\n```\nno'],
    ['of an unknown option', '<!-- duo-answer: pdf -->\nPDF'],
  ])('%s does not count', (_name, text) => {
    expect(read(closed(), text)).toMatchObject({ optionIds: [], via: 'reply' });
  });
});

describe('a reaction', () => {
  test.each([
    ['one', ['csv']],
    ['three', ['json']],
    ['thumbsup', ['csv']],
    ['thumbsup_tone3', ['csv']],
    ['two_tone1', ['xlsx']],
  ])('%s', (name, optionIds) => {
    const [answer] = readAnswers({ question: closed(), replies: [], awards: [reaction(name)] });
    expect(answer).toMatchObject({ optionIds, via: 'emoji', by: ALICE });
  });

  test.each(['nine', 'ten', 'heart', 'thumbsdown'])('%s answers nothing', (name) => {
    expect(readAnswers({ question: closed(), replies: [], awards: [reaction(name)] })).toEqual([]);
  });

  test.each(['ten', 'keycap_ten'])('%s picks the tenth', (name) => {
    const options = Array.from({ length: 10 }, (_, n) => ({ id: `o${n}`, label: `Option ${n}`, recommended: n === 0 }));
    expect(readAnswers({ question: closed({ options }), replies: [], awards: [reaction(name)] })[0]?.optionIds).toEqual(
      ['o9'],
    );
  });

  test.each([
    ['before a reply', 1, ['xlsx']],
    ['at the moment of a reply', 2, ['xlsx']],
    ['after a reply', 3, ['csv']],
  ])('%s: the newest of a person counts', (_name, minute, optionIds) => {
    const awards = [reaction('one', minute)];
    const answers = readAnswers({ question: closed(), replies: [reply('2', ALICE, 2)], awards });
    expect(answers.map((answer) => answer.optionIds)).toEqual([optionIds]);
  });

  test('that answers nothing leaves what the person wrote before', () => {
    const awards = [reaction('heart', 3)];
    const answers = readAnswers({ question: closed(), replies: [reply('2', ALICE, 2)], awards });
    expect(answers).toMatchObject([{ optionIds: ['xlsx'], via: 'reply' }]);
  });

  test('those since the last reply add up, whatever was chosen before', () => {
    const awards = [reaction('one', 1), reaction('two', 3), reaction('three', 4)];
    const question = closed({ multiple: true });
    const answers = readAnswers({ question, replies: [reply('1', ALICE, 2)], awards });
    expect(answers.map((answer) => answer.optionIds)).toEqual([['xlsx', 'json']]);
  });

  test('several add up where several may be chosen', () => {
    const awards = ['three', 'one'].map((name, index) => reaction(name, index));
    expect(readAnswers({ question: closed({ multiple: true }), replies: [], awards })[0]?.optionIds).toEqual([
      'csv',
      'json',
    ]);
  });

  test('the last counts where one is wanted', () => {
    const awards = ['three', 'two'].map((name, index) => reaction(name, index));
    expect(readAnswers({ question: closed(), replies: [], awards })[0]?.optionIds).toEqual(['xlsx']);
  });
});

describe('of one person', () => {
  test('the newest counts, in whatever order they come', () => {
    const answers = readAnswers({
      question: closed(),
      replies: [reply('3', ALICE, 9), reply('1', ALICE, 2)],
      awards: [],
    });
    expect(answers.map((answer) => answer.optionIds)).toEqual([['json']]);
  });

  test('a newer note that says nothing does not count', () => {
    const answers = readAnswers({
      question: closed(),
      replies: [reply('3', ALICE, 2), reply('/workplan continue', ALICE, 9)],
      awards: [],
    });
    expect(answers.map((answer) => answer.optionIds)).toEqual([['json']]);
  });
});

test('of several people each counts', () => {
  const answers = readAnswers({ question: closed(), replies: [reply('3', ALICE, 2), reply('1', BOB, 3)], awards: [] });
  expect(answers.map((answer) => [answer.by.username, answer.optionIds])).toEqual([
    ['alice', ['json']],
    ['bob', ['csv']],
  ]);
});

test.each([
  ['dots', `${'.'.repeat(500_000)}x`],
  ['exclamation marks', `yes ${'!'.repeat(500_000)}x`],
  ['a marker of many ids that never ends', `<!-- duo-answer: ${'x,'.repeat(250_000)} `],
  ['a marker of many blanks', `<!-- duo-answer: x${' '.repeat(500_000)}`],
])('a reply of half a megabyte of %s is read in linear time', { timeout: 5000 }, (_name, text) => {
  expect(() => read(closed(), text)).not.toThrow();
});
