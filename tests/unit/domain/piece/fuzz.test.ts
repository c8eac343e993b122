import { expect, test } from 'vitest';
import { checkFile } from '../../../../scripts/fuzz/check.ts';
import { fuzzFile } from '../../../../scripts/fuzz/files.ts';
import { readSamples } from '../../../../scripts/fuzz/samples.ts';

const COUNT = 5000;
const AT_ONCE = 250;
const samples = await readSamples();

// The same 5,000 files every time; `npm run fuzz` makes 200,000.
test.each(Array.from({ length: COUNT / AT_ONCE }, (_, part) => part * AT_ONCE))(
  'random and mutated files from %i on give findings with places, never an exception',
  (first) => {
    const checked = Array.from({ length: AT_ONCE }, (_, index) => checkFile(fuzzFile(1, first + index, samples)));

    // Some must load, else only refusals were tried.
    expect(checked.some(({ loaded }) => loaded)).toBe(true);
    expect(checked.some(({ findings }) => findings > 3)).toBe(true);
  },
);

test('a file can be made again from its seed and number', () => {
  expect(fuzzFile(7, 42, samples)).toBe(fuzzFile(7, 42, samples));
  expect(fuzzFile(7, 43, samples)).not.toBe(fuzzFile(7, 42, samples));
});
