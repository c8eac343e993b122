import { expect, test } from 'vitest';
import { extractCommands } from '../../../sandbox/quick-actions.ts';

test.each([
  ['at the start of the text', '/close', ['close']],
  ['on a later line', 'Done.\n/close\nBye', ['close']],
  ['behind a carriage return', 'Done.\r\n/close\r\n', ['close']],
  ['in capitals', '/CLOSE', ['close']],
  ['with an argument', '/label ~"a b" ~c', ['label']],
  ['in a hidden comment', '<!--\n/close\n-->', ['close']],
  ['after a closed fence', '```\ncode\n```\n/close', ['close']],
])('a command is found %s', (_where, text, names) => {
  expect(extractCommands(text).commands.map((command) => command.name)).toEqual(names);
});

test.each([
  ['in the middle of a line', 'please /close'],
  ['behind a space', ' /close'],
  ['behind a backslash', '\\/close'],
  ['in a fence', '```\n/close\n```'],
  ['in a fence of tildes that holds backticks', '~~~\n```\n/close\n~~~'],
  ['in a longer fence', '````\n```\n/close\n````'],
  ['in a fence that never ends', '```\n/close'],
  ['in a quote block', '>>>\n/close\n>>>'],
  ['as a path', '/closest/file.ts'],
  ['as a command GitLab does not know', '/workplan plan'],
])('a slash %s stays text', (_where, text) => {
  expect(extractCommands(text)).toEqual({ commands: [], rest: text });
});

test('what is left of a text has its commands taken out', () => {
  expect(extractCommands('Hello\n/close\nworld').rest).toBe('Hello\nworld');
});
