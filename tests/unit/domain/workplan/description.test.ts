import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DESCRIPTION, placePlan, withoutPlan } from '../../../../src/domain/workplan/description.ts';

function placed(description: string, body: string): string {
  const outcome = placePlan(description, body);
  if (outcome.kind !== 'placed') throw new Error(`not placed: ${outcome.kind}`);
  return outcome.text;
}

const [BEGIN = '', , END = ''] = placed('', 'plan').split('\n');

describe('the block in a description', () => {
  test('stands at the end at first, and alone where there is no text', () => {
    expect(placed('', 'plan 1')).toBe(`${BEGIN}\nplan 1\n${END}`);
    expect(placed('Text.\n', 'plan 1')).toBe(`Text.\n\n${BEGIN}\nplan 1\n${END}`);
  });

  test('is overwritten where it stands; what people wrote above and below stays as it is', () => {
    const edited = `Above,   \n\n${placed('', 'plan 1')}\n\n  - below\r\n`;

    expect(placed(edited, 'plan 2')).toBe(edited.replace('plan 1', 'plan 2'));
  });

  test('is overwritten whatever people wrote into it', () => {
    expect(placed(`${BEGIN}\nplan 1\nmy own words\n${END}`, 'plan 2')).toBe(`${BEGIN}\nplan 2\n${END}`);
  });

  test.each([
    ['taken away', 'Text.'],
    ['without its end', `Text.\n\n${BEGIN}\nplan 1`],
    ['without its begin', `Text.\nplan 1\n${END}`],
    ['turned round', `${END}\nplan 1\n${BEGIN}`],
  ])('is put at the end again when it was %s, and what was left of it stays', (_how, text) => {
    const once = placed(text, 'plan 2');

    expect(once).toBe(`${text}\n\n${BEGIN}\nplan 2\n${END}`);
    expect(placed(once, 'plan 3')).toBe(once.replace('plan 2', 'plan 3'));
  });

  test('stands once although somebody copied it', () => {
    const copied = `${placed('', 'plan 1')}\nbetween\n${placed('', 'plan 1')}`;

    expect(placed(copied, 'plan 2')).toBe(`${BEGIN}\nplan 2\n${END}\nbetween\n`);
  });

  test('begins with the last beginning before its end', () => {
    const text = `${BEGIN}\nof a person\n${BEGIN}\nplan 1\n${END}`;

    expect(placed(text, 'plan 2')).toBe(`${BEGIN}\nof a person\n${BEGIN}\nplan 2\n${END}`);
  });

  test('is not found inside a line', () => {
    expect(placed(`See ${BEGIN} x\n${END}`, 'plan')).toContain(`See ${BEGIN} x\n${END}\n\n${BEGIN}\nplan\n${END}`);
  });

  test('is not written when the whole is longer than GitLab takes', () => {
    expect(placePlan('x'.repeat(MAX_DESCRIPTION - 10), 'plan')).toEqual({ kind: 'too_long' });
    expect(placePlan('x'.repeat(MAX_DESCRIPTION - 500), 'plan').kind).toBe('placed');
  });

  test.each([
    '/close',
    'Text\n/label ~x\nmore',
    '  /assign @bob',
    '/TITLE new',
    'a\r\n/close\r\nb',
    `${BEGIN}\np\n${END}\n/close`,
  ])('is not written where GitLab would carry out what somebody had no right to: %j', (text) => {
    expect(placePlan(text, 'plan')).toEqual({ kind: 'acts' });
  });

  test.each(['/api/v4/projects answers', 'see /close', '/etc/hosts', '/workplan plan', '/ alone'])(
    'is written beside what is no quick action: %j',
    (text) => {
      expect(placePlan(text, 'plan').kind).toBe('placed');
    },
  );
});

describe('what people wrote', () => {
  test('is the description without the block', () => {
    expect(withoutPlan(placed('Text.', 'plan'))).toBe('Text.');
    expect(withoutPlan(`Above\n${BEGIN}\nplan\n${END}\nbelow`)).toBe('Above\n\nbelow');
    expect(withoutPlan('Text.  \n')).toBe('Text.  \n');
  });

  const words = fc.array(fc.constantFrom('text', '', BEGIN, END, '```', '<!--', '- a'), { maxLength: 12 });

  test('stays when a copy goes that stood between two halves', () => {
    const edited = [BEGIN, 'old plan', END, 'one', BEGIN, 'two', BEGIN, 'copy', END, 'three', END].join('\n');
    const once = placed(edited, 'new plan');

    expect(placed(once, 'new plan')).toBe(once);
    expect(once).not.toContain('copy');
    expect(once.split('\n')).toEqual(expect.arrayContaining(['one', 'two', 'three']));
  });

  test('survives any edit around the block, and one more writing changes nothing', () => {
    fc.assert(
      fc.property(words, words, (above, below) => {
        const edited = [...above, BEGIN, 'old plan', END, ...below].join('\n');
        const once = placed(edited, 'new plan');
        expect(placed(once, 'new plan')).toBe(once);
        expect(once.split('new plan')).toHaveLength(2);
        expect(once).not.toContain(`${BEGIN}\nold plan\n${END}`);
        expect(
          withoutPlan(once)
            .split('\n')
            .filter((line) => line === 'text'),
        ).toHaveLength(
          withoutPlan(edited)
            .split('\n')
            .filter((line) => line === 'text').length,
        );
      }),
    );
  });
});
