import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lintPiece } from '../../../../src/domain/piece/lint.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { bundleOf } from './helpers.ts';

const folder = new URL('../../../fixtures/findings/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** Each finding of a file stands in the `.txt` beside it, with its place, level, code and words. */
describe.each(['errors', 'warnings'])('a file full of %s', (name) => {
  const bundle = bundleOf(read(`${name}.yaml`), {}, `${name}.yaml`);

  test('is told all of them at once', () => {
    const found = lintPiece(bundle).map(
      ({ code, column, level, line, message }) => `${line}:${column} ${level} ${code} ${message}`,
    );

    expect(found).toEqual(read(`${name}.txt`).trimEnd().split('\n'));
  });

  test('loads if and only if there is no error among them', () => {
    expect(loadPiece(bundle).piece === null).toBe(name === 'errors');
  });

  test('and each finding names the file', () => {
    expect(new Set(lintPiece(bundle).map(({ file }) => file))).toEqual(new Set([`${name}.yaml`]));
  });
});
