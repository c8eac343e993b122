import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MOST_LINES } from '../../../src/domain/workplan/check-findings.ts';
import { MOST_FILES } from '../../../src/domain/workplan/check-references.ts';
import { CHECK_CODES } from '../../../src/domain/workplan/checks.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/workplan.md'), 'utf8');

test('the table of checks names each check, in their order', () => {
  expect([...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code)).toEqual(CHECK_CODES);
});

test('it names the limits that hold', () => {
  expect(page).toContain(
    `at most ${MOST_FILES.S} files in an \`S\`, ${MOST_FILES.M} in an \`M\`, ${MOST_FILES.L} in an \`L\``,
  );
  expect(page).toContain(`cites at most ${MOST_LINES} lines`);
});
