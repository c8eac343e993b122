import { describe, expect, test } from 'vitest';
import { promptOf } from './helpers.ts';

/** Where each part stands in the text, in order; a part that is missing fails. */
function inOrder(text: string, parts: string[]): boolean {
  let at = -1;
  return parts.every((part) => {
    at = text.indexOf(part, at + 1);
    return at >= 0;
  });
}

describe('user inputs', () => {
  test('stand oldest first', () => {
    const text = promptOf([], {
      userInputs: [
        { question: 'q1', answer: 'a1' },
        { question: 'q2', answer: 'a2' },
      ],
    });
    expect(inOrder(text, ['Question: q1', 'Answer: a1', 'Question: q2', 'Answer: a2'])).toBe(true);
  });

  test('an entry is cut at 10,000 characters, and it says so', () => {
    const text = promptOf([], { userInputs: [{ question: 'q', answer: 'x'.repeat(20_000) }] });
    expect(text).toContain('[cut: the text was too long]');
    expect(text.match(/x+/g)?.find((run) => run.length > 100)?.length).toBeLessThan(10_000);
  });

  test('an entry of 10,000 characters is whole, one more is cut to 10,000', () => {
    const shown = (length: number) => {
      const text = promptOf(['instruction_template: "<<{user_inputs}>>"'], {
        userInputs: [{ question: 'q', answer: 'x'.repeat(length) }],
      });
      return /<<([\s\S]*)>>/.exec(text)?.[1] ?? '';
    };
    const around = shown(1).length - 1;

    expect(shown(10_000 - around)).toMatch(/x$/);
    expect(shown(10_001 - around)).toMatch(/\[cut: the text was too long\]$/);
    expect(shown(10_001 - around)).toHaveLength(10_000);
  });

  test('all of them are cut at 65,536 characters, the newest stay', () => {
    const userInputs = Array.from({ length: 20 }, (_, index) => ({ question: `q${index}.`, answer: 'x'.repeat(9000) }));
    const text = promptOf(['instruction_template: "<<{user_inputs}>>"'], { userInputs });
    const value = /<<([\s\S]*)>>/.exec(text)?.[1] ?? '';
    expect(value.length).toBeLessThanOrEqual(65_536);
    expect(value.startsWith('[cut')).toBe(true);
    expect(value).toContain('q19.');
    expect(value).not.toContain('q5.');
  });

  test.each([true, false])('never are longer than 65,536 characters, however they fall (assumed: %s)', (assume) => {
    for (let length = 5390; length < 5420; length += 1) {
      const userInputs = Array.from({ length: 13 }, () => ({ question: 'Q?', answer: 'x'.repeat(length) }));
      const text = promptOf(['instruction_template: "<{user_inputs}>"'], { userInputs, assume });
      const shown = text.slice(text.indexOf('<') + 1, text.lastIndexOf('>'));

      expect(shown.length).toBeLessThanOrEqual(65_536);
      expect(shown.length).toBeGreaterThan(58_000);
    }
  });

  test('nobody answered: the best assumptions', () => {
    expect(promptOf([], { assume: true })).toContain('assumption that is not confirmed');
  });
});
