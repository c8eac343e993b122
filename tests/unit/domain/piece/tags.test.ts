import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastTag } from '../../../../src/domain/piece/tags.ts';

describe('lastTag', () => {
  test.each([
    ['no tag', 'done', null],
    ['one tag', 'done\n[STEP:0]', 0],
    ['the last of several', '[STEP:0] then [STEP:2] then [STEP:1]', 1],
    ['text behind it', '[STEP:3]\nbye', 3],
    ['two digits', '[STEP:12]', 12],
    ['other letters', '[step:0] [Step:1]', null],
    ['spaces in it', '[STEP: 0] [STEP:0 ] [STEP :0]', null],
    ['no number', '[STEP:] [STEP:x] [STEP:-1]', null],
    ['other digits', '[STEP:１]', null],
    ['malformed behind a good one', '[STEP:1] [STEP:x]', 1],
    ['nested brackets', '[STEP:[STEP:2]', 2],
    ['inline code counts as text', 'so `[STEP:1]`', 1],
    ['a quoted line never counts', '[STEP:1]\n> [STEP:0]', 1],
    ['only a quoted line', '> [STEP:0]', null],
    ['a quote in a quote', '  >> [STEP:0]', null],
    ['a quote sign behind text is text', 'a > b [STEP:0]', 0],
    ['outside a fence comes first', '[STEP:1]\n```\n[STEP:0]\n```', 1],
    ['in a fence where there is no other', 'so:\n```\n[STEP:0]\n```', 0],
    ['the last one in fences', '```\n[STEP:0]\n```\n~~~text\n[STEP:1]\n~~~', 1],
    ['never in a report', '```markdown\n[STEP:0]\n```', null],
    ['never in a report named md', '```md\n[STEP:0]\n```', null],
    ['a fence beside a report', '```\n[STEP:1]\n```\n\n```markdown\n[STEP:0]\n```\n', 1],
    ['code in a report does not end it', '```markdown\n# R\n```js\nx()\n```\n[STEP:1]\n```\n[STEP:0]', 0],
    ['a longer fence', '````markdown\n```\n[STEP:1]\n```\n````\nok [STEP:2]', 2],
    ['a fence in a list', '- a\n    ```\n    [STEP:1]\n    ```\n[STEP:0]', 0],
    ['three backticks in a line are no fence', '```x``` [STEP:0]\n[STEP:1]\n', 1],
    ['tildes do not close backticks', '```\n~~~\n[STEP:1]\n```\n[STEP:0]', 0],
    ['tildes may have backticks behind them', '~~~markdown `x`\n[STEP:0]\n~~~', null],
    ['a fence that is never closed', '```\n[STEP:1]', 1],
    ['an unclosed report loses the tag', '```markdown\n# R\n[STEP:1]', null],
    ['an unclosed fence within a report', '```markdown\n# R\n```js\nx()\n```\n[STEP:1]', 1],
    ['CRLF', '```markdown\r\n[STEP:0]\r\n```\r\n[STEP:1]\r\n', 1],
  ])('%s', (_, output, expected) => {
    expect(lastTag(output)).toBe(expected);
  });

  test('of tags in plain lines the last counts', () => {
    const line = fc.oneof(
      fc.nat(30).map((n) => ({ n, text: `so [STEP:${n}] it is` })),
      fc.constant({ n: null, text: 'nothing here' }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const last = lines.findLast(({ n }) => n !== null)?.n ?? null;
        expect(lastTag(lines.map(({ text }) => text).join('\n'))).toBe(last);
      }),
    );
  });

  test('quotes and reports around it never change what counts', () => {
    const noise = fc.constantFrom(
      '> [STEP:7]',
      '```markdown\n[STEP:8]\n```\n',
      '  > ```\n',
      '`code`',
      '```js\n[STEP:9]\n```\n',
    );
    fc.assert(
      fc.property(fc.array(noise), fc.array(noise), fc.nat(6), (before, after, n) => {
        expect(lastTag([...before, `[STEP:${n}]`, ...after].join('\n'))).toBe(n);
      }),
    );
  });
});
