import { expect, test } from 'vitest';
import { renderNotice, renderNoticesOnly, withNotices } from '../../../../src/domain/workplan/notices.ts';

const notice = {
  language: 'en',
  who: 'bob',
  given: 'workplan-do::plan',
  code: 'forbidden',
  message: 'plan needs Developer.',
};

test('a refusal is one line that says who, what and why', () => {
  expect(renderNotice(notice)).toBe(
    '@bob `workplan-do::plan`: This could not be done (`forbidden`) — plan needs Developer.',
  );
});

test('in the language of the item', () => {
  expect(renderNotice({ ...notice, language: 'de' })).toContain('Das ging nicht');
});

test('what people chose acts neither in its name nor in its text', () => {
  const line = renderNotice({
    ...notice,
    who: 'all',
    given: 'workplan-do::`x`\n/close',
    message: '/close\n@all ![](http://x/y.png)',
  });

  expect(line).not.toContain('\n');
  expect(line).not.toMatch(/(?<!\u200b|&#)@all\b/);
  expect(line).not.toMatch(/(?<!\\)!\[/);
});

test('lines stand below the head of a note; without any the note stays as it is', () => {
  expect(withNotices('head\n\nrest\n\n<!-- m -->', ['one', 'two'])).toBe(
    'head\n\n- ⚠️ one\n- ⚠️ two\n\nrest\n\n<!-- m -->',
  );
  expect(withNotices('head\n\nrest', [])).toBe('head\n\nrest');
  expect(withNotices(renderNoticesOnly('en'), ['one'])).toBe('⚠️ **This could not be done**\n\n- ⚠️ one');
});
