/** "Questions and replies" (spec 2) as tables, what the domain has of it: the payload's limits, and what a reply or a reaction says. */
import { describe, expect, test } from 'vitest';
import { readAnswers } from '../../../../src/domain/workplan/answers.ts';
import { LANGUAGES } from '../../../../src/domain/workplan/language.ts';
import { Question, type QuestionOption, Questions } from '../../../../src/domain/workplan/schema.ts';
import { closed, open } from './plans.ts';

const option = (id: string, more: Partial<QuestionOption> = {}): QuestionOption => ({
  id,
  label: `Option ${id}`,
  recommended: id === 'a',
  ...more,
});
const options = (...ids: string[]) => ids.map((id) => option(id));
const many = (count: number) => Array.from({ length: count }, (_, n) => option(n === 0 ? 'a' : `o${n}`));

describe('the payload; what is not so goes back to the agent', () => {
  const rows: [sentence: string, question: object, good: boolean][] = [
    ['id (stable)', closed(), true],
    ['id: not empty', closed({ id: '' }), false],
    ['type closed or open', { ...closed(), type: 'poll' }, false],
    ['question: one line', closed({ question: 'Which?\nAnd why?' }), false],
    ['why: not empty', closed({ why: ' ' }), false],
    ['multiple: said', { ...closed(), multiple: undefined }, false],
    ['label: one line', closed({ options: [option('a', { label: 'one\ntwo' }), option('b')] }), false],
    ['label: 200 characters', closed({ options: [option('a', { label: 'x'.repeat(200) }), option('b')] }), true],
    ['label: not 201', closed({ options: [option('a', { label: 'x'.repeat(201) }), option('b')] }), false],
    [
      'description: over 500 is cut, not refused',
      closed({ options: [option('a', { description: 'x'.repeat(501) }), option('b')] }),
      true,
    ],
    ['recommendation: required', closed({ recommendation: '' }), false],
    ['recommendation of an open one: required', open({ recommendation: '  ' }), false],
    ['at most 10 options', closed({ options: many(10) }), true],
    ['not 11', closed({ options: many(11) }), false],
    ['ids unique', closed({ options: [...options('a', 'b'), option('b')] }), false],
    ['`rejected` reserved', closed({ options: options('a', 'rejected') }), false],
    ['exactly one recommended', closed({ options: options('b', 'c') }), false],
    ['not two', closed({ options: [option('a'), option('b', { recommended: true })] }), false],
    ['with `multiple` at least one', closed({ multiple: true, options: options('b', 'c') }), false],
    [
      'with `multiple` two too',
      closed({ multiple: true, options: [option('a'), option('b', { recommended: true })] }),
      true,
    ],
    ['an open one has no options', open({ options: options('a', 'b') }), false],
  ];
  test.each(rows)('%s', (_sentence, question, good) => {
    expect(Question.safeParse(question).success).toBe(good);
  });

  test.each([
    [5, true],
    [6, false],
    [0, false],
  ])('at most 5 at a time: %i', (count, good) => {
    const questions = Array.from({ length: count }, (_, n) => closed({ id: `q${n}` }));

    expect(Questions.safeParse({ questions }).success).toBe(good);
  });
});

function answerTo(question: Question, text: string) {
  const by = { id: 12, username: 'bob', role: 'Reporter' };
  const replies = [{ author: by, text, createdAt: '2026-01-05T09:00:00.000Z', noteId: 1 }];
  return readAnswers({ question, replies, awards: [], bot: 'planwright' })[0] ?? null;
}

const one = closed({ options: options('a', 'b', 'c') });
const several = closed({ multiple: true, options: options('a', 'b', 'c') });

/** `null`: no answer at all; `[]`: in own words, handed on as they are. */
describe.each([
  ['one may be chosen', one],
  ['several may be chosen', several],
] as const)('where %s', (_name, question) => {
  const isMultiple = question.multiple;
  const rows: [way: string, text: string, chosen: string[] | null][] = [
    ['a number', '2', ['b']],
    ['a letter', 'c', ['c']],
    ['yes', 'yes', ['a']],
    ['recommended', 'recommended', ['a']],
    ['free text', 'Neither: ask the sales team.', []],
    ['free text that begins with a choice', '2) but only for new customers', ['b']],
    ['a number out of range', '4', []],
    ['zero', '0', []],
    ['a letter out of range', 'd', []],
    ['one of several numbers out of range', '1, 4', []],
    ['several numbers', '1, 3', isMultiple ? ['a', 'c'] : []],
    ['the same number twice', '2, 2', ['b']],
    ['letters', 'a and c', isMultiple ? ['a', 'c'] : []],
    ['the marker', '<!-- duo-answer: b -->', ['b']],
    ['the marker of several', '<!-- duo-answer: c,b -->', isMultiple ? ['b', 'c'] : ['b']],
    ['the marker of something else', 'Ask sales.\n\n<!-- duo-answer: rejected -->', []],
    ['the marker of one and of something else', '<!-- duo-answer: b,rejected -->', ['b']],
    ['the marker of an unknown option, without words', '<!-- duo-answer: zzz -->', null],
    ['a quote alone', '> 2', null],
    ['a block of quotes', '>>>\n2\n>>>', null],
    ['a quote of a marker', '> <!-- duo-answer: b -->', null],
    ['a quote, then an answer', '> 1\n\n3', ['c']],
    ['code alone', '```\n2\n```', null],
    ['a command alone', '/workplan continue', null],
    ['an answer and a command', '2\n/workplan continue', ['b']],
    ['nothing that can be seen', '<!-- 2 -->\n\u200b', null],
    // The newest of a person counts, also when it thanks: what it says is handed on, and nothing is guessed.
    ['thanks', 'Thanks!', []],
  ];
  test.each(rows)('%s: %j', (_way, text, chosen) => {
    expect(answerTo(question, text)?.optionIds ?? null).toEqual(chosen);
  });
});

describe('in the languages of items', () => {
  const words: Record<(typeof LANGUAGES)[number], { yes: string[]; recommended: string[]; second: string[] }> = {
    en: {
      yes: ['yes', 'OK', 'Agreed.'],
      recommended: ['recommended', 'As recommended'],
      second: ['2', 'Option 2', 'no. 2'],
    },
    ja: {
      yes: ['はい', '賛成です'],
      recommended: ['推奨で', 'おすすめでお願いします。'],
      second: ['２', '2番', '2でお願いします', '選択肢2'],
    },
    zh: { yes: ['好的', '同意'], recommended: ['推荐', '按推荐的'], second: ['选项2', '第2个', '2号'] },
    ko: { yes: ['네', '좋습니다'], recommended: ['추천', '추천대로'], second: ['2번', '2번이요', '옵션 2'] },
    ru: {
      yes: ['да', 'Согласен'],
      recommended: ['рекомендуемый', 'Как рекомендовано'],
      second: ['вариант 2', 'номер 2'],
    },
    de: { yes: ['ja', 'Einverstanden'], recommended: ['empfohlen', 'Wie empfohlen'], second: ['Antwort 2', 'Nr. 2'] },
    fr: { yes: ['oui', 'D’accord'], recommended: ['recommandé', 'Comme recommandé'], second: ['réponse 2', 'choix 2'] },
    es: {
      yes: ['sí', 'De acuerdo'],
      recommended: ['recomendado', 'Lo recomendado'],
      second: ['opción 2', 'respuesta 2'],
    },
    pt: {
      yes: ['sim', 'De acordo'],
      recommended: ['recomendado', 'Conforme recomendado'],
      second: ['opção 2', 'resposta 2'],
    },
  };
  const rows = LANGUAGES.flatMap((language) => {
    const { yes, recommended, second } = words[language];
    return [
      ...[...yes, ...recommended].map((text): [string, string, string[]] => [language, text, ['a']]),
      ...second.map((text): [string, string, string[]] => [language, text, ['b']]),
    ];
  });
  test.each(rows)('%s: %j', (_language, text, chosen) => {
    expect(answerTo(one, text)?.optionIds).toEqual(chosen);
  });

  test.each(LANGUAGES)('%s: yes to an open question takes the proposed answer', (language) => {
    expect(answerTo(open(), words[language].yes[0] ?? '')?.text).toBe(open().recommendation);
  });

  test.each([
    ['1と3', ['a', 'c']],
    ['1和3', ['a', 'c']],
    ['1、3', ['a', 'c']],
    ['1 и 3', ['a', 'c']],
    ['1 und 3', ['a', 'c']],
    ['1 et 3', ['a', 'c']],
    ['1 y 3', ['a', 'c']],
    ['1번, 3번', ['a', 'c']],
  ])('several: %j', (text, chosen) => {
    expect(answerTo(several, text)?.optionIds).toEqual(chosen);
  });
});

describe('reactions', () => {
  const ten = closed({ options: many(10) });
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const rows: [name: string, chosen: string[] | null][] = [
    ...names.map((name, index): [string, string[]] => [name, [index === 0 ? 'a' : `o${index}`]]),
    ['keycap_ten', ['o9']],
    ['thumbsup', ['a']],
    ['thumbsup_tone1', ['a']],
    ['thumbsup_tone5', ['a']],
    ['two_tone4', ['o1']],
    ['thumbsdown', null],
    ['arrow_forward', null],
    ['zero', null],
    ['100', null],
  ];
  test.each(rows)('%s', (name, chosen) => {
    const user = { id: 12, username: 'bob' };
    const awards = [{ user, name, createdAt: '2026-01-05T09:00:00.000Z' }];

    expect(readAnswers({ question: ten, replies: [], awards })[0]?.optionIds ?? null).toEqual(chosen);
  });
});
