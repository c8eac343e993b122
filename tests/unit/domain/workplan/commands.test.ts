import { describe, expect, test } from 'vitest';
import { ACTIONS, parseCommand } from '../../../../src/domain/workplan/commands.ts';

const BOT = 'planwright';

test.each(ACTIONS)('%s is an action, by slash and by mention', (action) => {
  expect(parseCommand(`/workplan ${action}`, BOT)).toEqual({ action, argument: '' });
  expect(parseCommand(`@planwright ${action}`, BOT)).toEqual({ action, argument: '' });
});

describe('a command', () => {
  test.each([
    ['with a reason', '/workplan reject too big, split it', { action: 'reject', argument: 'too big, split it' }],
    ['between other lines', 'Thanks!\n\n/workplan continue\n\nBye', { action: 'continue', argument: '' }],
    ['with CRLF', 'Thanks!\r\n/workplan plan\r\n', { action: 'plan', argument: '' }],
    ['in capitals', '/Workplan PLAN', { action: 'plan', argument: '' }],
    ['with spaces around', '  /workplan   plan  ', { action: 'plan', argument: '' }],
    ['with a full stop', '@planwright plan.', { action: 'plan', argument: '' }],
    ['with a comma after the name', '@planwright, cancel', { action: 'cancel', argument: '' }],
    ['with an invisible character before', '\u200b/workplan plan', { action: 'plan', argument: '' }],
    ['the first of two', '/workplan cancel\n/workplan plan', { action: 'cancel', argument: '' }],
    ['after a fence that ended', '```\ncode\n```\n/workplan plan', { action: 'plan', argument: '' }],
    ['misspelt', '/workplan contiune', { unknown: 'contiune' }],
    ['without an action', '/workplan', { unknown: '' }],
    ['misspelt in a mention', '@planwright contiune', { unknown: 'contiune' }],
  ])('%s', (_name, body, command) => {
    expect(parseCommand(body, BOT)).toEqual(command);
  });
});

describe('no command', () => {
  test.each([
    ['nothing', ''],
    ['inside a line', 'please comment /workplan plan'],
    ['in a fence', '```\n/workplan plan\n```'],
    ['in a tilde fence', '~~~\n@planwright plan\n~~~'],
    ['in a fence that never ends', '```\n/workplan plan'],
    ['in a quote', '> /workplan plan'],
    ['in a multi-line quote', '>>>\n/workplan plan\n>>>'],
    ['in a list', '- /workplan plan'],
    ['in inline code', '`/workplan plan`'],
    ['indented as code', '    /workplan plan'],
    ['in an HTML comment over lines', '<!--\n/workplan plan\n-->'],
    ['in an HTML comment that never ends', 'Hello\n\n<!-- note\n\n/workplan plan'],
    ['in an HTML comment that begins within a line', 'Hello <!--\n/workplan plan\n--> there'],
    ['in the second of two comments', '<!-- one -->\nText <!-- two\n/workplan plan -->'],
    ['in a comment that follows another at once', 'Text <!-- one\n--> and <!-- two\n/workplan plan -->'],
    ['another command', '/workplanner plan'],
    ['another bot', '@planwright-dev plan'],
    ['a bot whose name begins alike', '@planwright.two plan'],
    ['talk to the bot', '@planwright what do you think of this?'],
    ['thanks to the bot in two words', '@planwright thank you'],
    ['a mention at the end', 'plan this @planwright plan'],
  ])('%s', (_name, body) => {
    expect(parseCommand(body, BOT)).toBeNull();
  });
});

describe('a command beside HTML comments', () => {
  test.each([
    ['after one', '<!-- hidden\n-->\n/workplan plan'],
    ['before one', '/workplan plan\n<!-- hidden -->'],
    ['after one of one line', 'Text <!-- hidden --> text\n/workplan plan'],
    ['after what only looks like one, in the next paragraph', 'The sign `<!--` begins one.\n\n/workplan plan'],
    ['after what only looks like one, in the same paragraph', 'The sign `<!--` begins one.\n/workplan plan'],
    ['after one in a fence', '```\n<!--\n```\n\n/workplan plan'],
  ])('%s', (_name, body) => {
    expect(parseCommand(body, BOT)).toEqual({ action: 'plan', argument: '' });
  });
});

test('a username with a dot is taken as it is', () => {
  expect(parseCommand('@plan.wright plan', 'plan.wright')).toEqual({ action: 'plan', argument: '' });
  expect(parseCommand('@planxwright plan', 'plan.wright')).toBeNull();
});

test.each([
  ['dots after /workplan', `/workplan ${'.'.repeat(500_000)}x`],
  ['dots after the mention', `@planwright ${'.'.repeat(500_000)}x`],
  ['comments that begin', '<!--\n'.repeat(100_000)],
  ['comments over two lines', '<!--\n-->\n'.repeat(60_000)],
  ['comments within lines', 'x <!--\n'.repeat(70_000)],
  ['comments that end and begin', '--> <!--\n'.repeat(60_000)],
  ['spaces', `/workplan ${' '.repeat(500_000)}x`],
])('half a megabyte of %s is read in linear time', { timeout: 5000 }, (_name, body) => {
  expect(() => parseCommand(body, BOT)).not.toThrow();
});
