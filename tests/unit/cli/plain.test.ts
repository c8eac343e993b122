import { expect, test } from 'vitest';
import { plainLine, plainText } from '../../../src/cli/plain.ts';

test('one line holds nothing that moves the cursor, recolours or reorders', () => {
  expect(plainLine('a\u001b[31mb\r\nc\u202ed\u2028e\u0085f\0g\ud800')).toBe('a [31mb cd e f g\ufffd');
});

test('a text keeps its lines and tabs', () => {
  expect(plainText('a\r\nb\tc\u001bd\u2066e\rf')).toBe('a\nb\tc de\nf');
});

test('letters of all scripts and emoji stay', () => {
  const text = '計画 план é 👩‍💻';

  expect(plainLine(text)).toBe(text);
  expect(plainText(text)).toBe(text);
});
