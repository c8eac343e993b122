import { describe, expect, test } from 'vitest';
import { extractCommands } from '../../../sandbox/quick-action-finder.ts';
import { COMMAND_NAMES } from '../../../sandbox/quick-action-names.ts';

type Reading = NonNullable<Parameters<typeof extractCommands>[1]>;

function found(text: string, reading: Reading): string[] {
  return extractCommands(text, reading).commands.map(({ name }) => name);
}

describe('a command is found', () => {
  test.each<[string, string]>([
    ['at the start of the text', '/close'],
    ['on a later line', 'Done.\n/close\nBye'],
    ['behind a carriage return and newline', 'Done.\r\n/close\r\n'],
    ['behind carriage returns alone, which are taken out', '\r\r/close'],
    ['with a carriage return in it', '/cl\rose'],
    ['in capitals', '/CLOSE'],
    ['with blanks behind it', '/close  \t\n'],
    ['with an argument it does not take', '/close now, please'],
    ['after a closed fence', '```\ncode\n```\n/close'],
    ['after an HTML comment, in a line of its own', '<!-- note -->\n\n/close'],
  ])('by either reading: %s', (_where, text) => {
    expect([found(text, 'markdown'), found(text, 'pattern')]).toEqual([['close'], ['close']]);
  });

  test.each<[string, string]>([
    ['in a hidden comment', '<!--\n/close\n-->'],
    ['in a fence that never ends', '```\n/close'],
    ['in a fence of tildes', '~~~\n/close\n~~~'],
    ['in a longer fence, after a shorter one in it', '````\n```\n/close\n````'],
    ['as a lazy line of a list', '- item\n/close'],
    ['as a lazy line of a quote', '> said\n/close'],
    ['in a table', '| a |\n|---|\n/close'],
    ['in front matter', '---\na: b\n/close\n---\n'],
    ['in an HTML block without an end', '<div>\n/close'],
  ])('by the pattern of older releases only: %s', (_where, text) => {
    expect([found(text, 'markdown'), found(text, 'pattern'), found(text, 'both')]).toEqual([[], ['close'], ['close']]);
  });

  test.each<[string, string]>([
    ['behind code that ends a line', 'see `a`\nand\n/close\n`b`'],
    ['between HTML tags in other paragraphs', '<b>\nx\n\n/close\n\ny\n</b>'],
  ])('by the Markdown of later releases only: %s', (_where, text) => {
    expect([found(text, 'markdown'), found(text, 'pattern'), found(text, 'both')]).toEqual([['close'], [], ['close']]);
  });
});

test.each([
  ['in the middle of a line', 'please /close'],
  ['behind a space', ' /close'],
  ['behind a no-break space', '\u00a0/close'],
  ['behind a byte order mark', '\ufeff/close'],
  ['behind a zero-width space', '\u200b/close'],
  ['behind a line separator', 'a\u2028/close'],
  ['behind a backslash', '\\/close'],
  ['in a fence', '```\n/close\n```'],
  ['in an indented fence', '  ```\n/close\n  ```'],
  ['before a no-break space', '/close\u00a0'],
  ['in a quote block', '>>>\n/close\n>>>'],
  ['in a list item', '- /close'],
  ['in a quote', '> /close'],
  ['as a path', '/closest/file.ts'],
  ['as a command GitLab does not know', '/workplan plan'],
  ['before a tab', '/close\tnow'],
])('a slash %s stays text', (_where, text) => {
  expect(extractCommands(text)).toEqual({ commands: [], rest: text });
});

test('what is left of a text has its commands taken out', () => {
  expect(extractCommands('Hello\n/close\nworld').rest).toBe('Hello\nworld');
});

test('a substitution leaves its sign', () => {
  const { commands, rest } = extractCommands('Well\n/shrug no idea\nbye');
  expect(commands).toEqual([{ name: 'shrug', argument: 'no idea' }]);
  expect(rest).toBe('Well\nno idea ¯\\＿(ツ)＿/¯\nbye');
});

test('every command GitLab documents is known, each once', () => {
  expect(COMMAND_NAMES.length).toBeGreaterThan(90);
  expect(new Set(COMMAND_NAMES).size).toBe(COMMAND_NAMES.length);
  const text = COMMAND_NAMES.map((name) => `/${name} x`).join('\n');
  expect(extractCommands(text).commands.map(({ name }) => name)).toEqual([...COMMAND_NAMES]);
});
