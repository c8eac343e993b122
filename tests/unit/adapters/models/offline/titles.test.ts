import { expect, test } from 'vitest';
import { imperative } from '../../../../../src/adapters/models/offline/titles.ts';

test.each([
  [
    'A server option `slowRequestThreshold` (milliseconds, default 0 = off).',
    'Add a server option `slowRequestThreshold`',
  ],
  ['documented in docs/Reference/Server.md', 'Document it in docs/Reference/Server.md'],
  ['must contain command, duration and timestamp', 'Contain command, duration and timestamp'],
  ['max 5000 entries', 'Limit it: max 5000 entries'],
  ['Please add a flag for it.', 'Add a flag for it'],
  ['Support for IPv6 addresses', 'Support IPv6 addresses'],
  ['Ability to filter by label', 'Filter by label'],
  [
    '`queue.clean` only removes up to a limit, we want `queue.purge()` which deletes all',
    'Provide `queue.purge()` which deletes all',
  ],
  ['We must be able to pass a list of schemes', 'Pass a list of schemes'],
  ['It works with `x` today, but a typed method would be nicer.', 'Add a typed method'],
  ['README describes it.', 'Describe it in the README'],
  ['Given the option is off, when a link is odd, then it is rendered as text.', 'Make it so: it is rendered as text'],
  ['A customer must be able to share a ticket', 'Let a customer share a ticket'],
  ['Only librarians may open the list', 'Let only librarians open the list'],
  ['The token must never appear in a log', 'Never let the token appear in a log'],
  ['`step` must also open the windows', 'Make `step` also open the windows'],
  ['A rule must always win', 'Always let a rule win'],
  ['Errors must always be logged', 'Keep errors logged'],
  ['Sessions must expire after 30 minutes.', 'Make sessions expire after 30 minutes'],
])('%s', (text, title) => {
  expect(imperative(text, 'en')).toBe(title);
});

test('another language keeps its words', () => {
  expect(imperative('CSV を出力できること', 'ja')).toBeNull();
});
