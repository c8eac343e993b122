import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralise } from '../../../../src/domain/text/clean.ts';
import { HOSTILE } from '../../../helpers/hostile/corpus.ts';
import { effects, visibleWords } from '../../../helpers/hostile/oracle.ts';

const FRAGMENTS = [
  ...[
    '/close',
    '/',
    '\\',
    '`',
    '``',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<',
    '>',
    '>>>',
    '@all',
    '@',
    '![',
    '[',
    '](',
    ')',
    ']:',
    '[[',
    '|',
    '|---|',
    '---',
  ],
  ...[
    '$',
    '$$',
    '&#64;',
    '&#8203;',
    '&amp;',
    '&',
    '<b>',
    '<details>',
    '</details>',
    '- ',
    '1. ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '\u2028',
  ],
  ...[
    '\u200b',
    '\u200d',
    '\ufe0f',
    '\u202e',
    '\u0000',
    '\ud800',
    'Closes #1',
    'fixes ',
    '#1',
    'https://x.example/',
    'word',
    'ä',
    '日本',
    '👩',
    '1',
    ' ',
    '*',
    '_',
    '#',
    '!',
    ':',
  ],
];
const hostileText = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 }).map((parts) => parts.join(''));

test('the corpus holds at least two hundred hostile texts, each once', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(200);
  expect(new Set(HOSTILE.map(({ name }) => name)).size).toBe(HOSTILE.length);
  expect(new Set(HOSTILE.map(({ text }) => text)).size).toBe(HOSTILE.length);
});

describe.each(HOSTILE)('$name', ({ text, keeps }) => {
  test('does nothing after cleaning', () => {
    expect(effects(neutralise(text))).toEqual([]);
  });

  test('does nothing as one line', () => {
    expect(effects(neutralise(text, { inline: true }))).toEqual([]);
  });

  test('keeps its words', () => {
    const words = visibleWords(neutralise(text)).replaceAll('\u200b', '');
    for (const word of keeps) expect(words).toContain(word);
  });

  test('is clean after one cleaning', () => {
    const once = neutralise(text);
    expect(neutralise(once)).toBe(once);
  });
});

test('the judge of this suite sees what acts', () => {
  const acting = [
    '/close',
    '- /close',
    '@all',
    'Closes #1',
    '![a](https://x.example/a.png)',
    '<b>x</b>',
    '<!-- x -->',
    '[a]: /b',
    'a\u200b',
    '\ud800',
    '[TOC]',
    '\\[[_TOC_]]',
    '>>>\nx\n>>>',
    '>>> [!note] x',
    '```mermaid\nx\n```',
    '```json:table\n{}\n```',
    '[a](javascript:alert)',
    '$`a`$',
    '[^1]: hidden',
    '---\na: b\n---',
  ];
  expect(acting.filter((text) => effects(text).length === 0)).toEqual([]);
});

describe('any text', () => {
  test('does nothing after cleaning', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(effects(neutralise(text))).toEqual([]);
      }),
      { numRuns: 2500 },
    );
  });

  test('does nothing as one line, and is one line', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const clean = neutralise(text, { inline: true });
        expect(effects(clean)).toEqual([]);
        expect(clean).not.toMatch(/[\r\n\u2028\u2029]/);
      }),
      { numRuns: 2500 },
    );
  });

  test('is clean after one cleaning', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, inline) => {
        const once = neutralise(text, { inline });
        expect(neutralise(once, { inline })).toBe(once);
      }),
      { numRuns: 2500 },
    );
  });

  test('does nothing between other cleaned texts', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (first, second) => {
        expect(
          effects(`${neutralise(first)}\n\n- ${neutralise(second, { inline: true })}\n\n${neutralise(second)}`),
        ).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps its letters when they are plain words', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zäöüßA-Zа-я0-9 .,;()日本語]{1,80}$/), (text) => {
        expect(visibleWords(neutralise(text, { inline: true }))).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });
});

describe('harmless Markdown', () => {
  test.each([
    ['emphasis and links', 'Some **bold**, *soft* and a [link](https://example.com/a?b=1&c=2).'],
    ['links to places beside', '[a](docs/a.md#l), [b](#note_3), [c](/x?y=a:b), [d](mailto:bob@example.com)'],
    ['lists', '- one\n- two\n  1. three\n\n* four'],
    ['inline code', 'Call `run()` or ``a`b``.'],
    ['a fence', '```ts\nconst a = `x`;\n@decorator\n```'],
    ['a quote', '> said\n> so'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['comparisons', 'a < b and b > c & d'],
    ['an e-mail address', 'write to bob@example.com'],
    ['Japanese', '設定は `config.ts` にあります。'],
    ['full-width slashes', '／close と書く'],
    ['a family', '👨‍👩‍👧 and ❤️ and 1️⃣'],
    ['Persian', 'می‌خواهم'],
    ['a path in a sentence', 'see src/app and /usr/bin'],
    ['an issue reference', 'see #12 and acme/sample#3'],
    ['a word that looks like a keyword', 'a fixed price, closing time, fix utf-8'],
  ])('%s stays as it is', (_name, text) => {
    expect(neutralise(text)).toBe(text);
  });
});

describe('repairs', () => {
  test.each([
    ['closes an open fence', '```ts\ncode', '```ts\ncode\n```'],
    ['brings a fence to the first column', '1. do\n   ```sh\n   ls\n   ```', '1. do\n```sh\n   ls\n```'],
    ['gives a fence in a list item a line of its own', '- ```sh\n  ls\n  ```\ntext', '-\n```sh\n  ls\n```\ntext'],
    ['a command in code gets a space', '```\n/close\n```', '```\n /close\n```'],
    ['a command in text gets a backslash', 'a\n/close', 'a\n\\/close'],
    ['a comment goes', 'a <!-- b --> c', 'a  c'],
    ['a mention is parted', 'ask @all', 'ask @&#8203;all'],
    ['a mention in a URL is encoded', 'https://example.com/@alice', 'https://example.com/%40alice'],
    ['a closing keyword is parted', 'Closes #1', 'Closes&#8203; #1'],
    ['brackets of a link go', '<https://example.com>', 'https://example.com'],
    ['a drawn language becomes text', '```mermaid\nx\n```', '```text\nx\n```'],
    ['a multi-line quote mark is escaped', '>>>\nx\n>>>', '\\>>>\nx\n\\>>>'],
    ['an alert over lines is escaped', '>>> [!note] x', '\\>>> [!note] x'],
    ['front matter does not begin', '---\na: b\n---', '\\---\na: b\n---'],
    ['a table of contents is parted', '[TOC]', '[&#8203;TOC]'],
    ['a link that runs is none', '[a](javascript:x)', '[a]\\(javascript:x)'],
    ['a link of data is none', '[a](< data:x>)', '[a]\\(< data:x>)'],
  ])('%s', (_name, text, clean) => {
    expect(neutralise(text)).toBe(clean);
  });
});

describe('one line', () => {
  test.each([
    ['line ends become spaces', 'a\nb\r\nc', 'a b c'],
    ['a heading does not begin', '# title', '\\# title'],
    ['a list does not begin', '- item', '\\- item'],
    ['a number does not begin a list', '1. item', '1\\. item'],
    ['a quote does not begin', '> said', '\\> said'],
    ['a rule does not begin', '---', '\\---'],
    ['a fence does not begin', '~~~', '\\~~~'],
    ['a task box does not begin', '[ ] task', '\\[ ] task'],
    ['a cell does not end', 'a | b', 'a \\| b'],
    ['what follows is not escaped', 'a\\', 'a\\\\'],
  ])('%s', (_name, text, clean) => {
    expect(neutralise(text, { inline: true })).toBe(clean);
  });
});

describe('allowed mentions', () => {
  test('a name on the list stays', () => {
    expect(neutralise('@alice, @Alice. and @bob', { mentions: ['alice'] })).toBe('@alice, @Alice. and @&#8203;bob');
  });

  test('a group that begins with the name does not', () => {
    expect(neutralise('@alice/team', { mentions: ['alice'] })).toBe('@&#8203;alice/team');
  });

  test('all is never allowed', () => {
    expect(neutralise('@all', { mentions: ['all'] })).toBe('@&#8203;all');
  });
});

test.each([
  ['backticks of many lengths', Array.from({ length: 700 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
  ['unpaired backticks', '` `` '.repeat(50_000)],
  ['comment starts', '<!--'.repeat(60_000)],
  ['empty comments', '<!---->`'.repeat(30_000)],
  ['closing keywords', 'closes '.repeat(40_000)],
  ['markers', '- '.repeat(120_000)],
  ['digits', '1'.repeat(240_000)],
  ['autolink starts', '<https://'.repeat(30_000)],
  ['at signs', '@'.repeat(240_000)],
  ['ampersands', '&#'.repeat(120_000)],
  ['joiners', 'a\u200d'.repeat(120_000)],
  ['brackets', '['.repeat(240_000)],
  ['empty lines', 'a\n'.concat('\n'.repeat(240_000))],
  ['dashes', `${'-'.repeat(240_000)}x`],
  ['dots after an at sign', `@${'.'.repeat(240_000)}x`],
  ['backslashes', `${'\\'.repeat(240_000)}x`],
  ['quote signs', `${'>'.repeat(240_000)}x`],
  ['quote signs alone', '>'.repeat(240_000)],
  ['quotes in lists', `${'- >>> 1. '.repeat(30_000)}x`],
  ['links without an end', ']('.repeat(120_000)],
  ['blanks in a link', `[a](${' '.repeat(240_000)}x`],
  ['blanks in an address', `[a](<${' '.repeat(240_000)}x`],
  ['a long scheme', `[a](${'x'.repeat(240_000)}`],
  ['contents without an end', '[_*toc_*'.repeat(30_000)],
])('a quarter of a megabyte of %s is cleaned in linear time', { timeout: 5000 }, (_name, text) => {
  expect(neutralise(text).length).toBeGreaterThan(0);
  expect(neutralise(text, { inline: true })).not.toContain('\n');
});
