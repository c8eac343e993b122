import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIELD_TEXTS } from '../../../src/domain/piece/field-texts.ts';
import { lintPiece } from '../../../src/domain/piece/lint.ts';
import { loadPiece } from '../../../src/domain/piece/load.ts';
import { renderGraph } from '../../../src/domain/piece/mermaid.ts';
import { VARIABLES } from '../../../src/domain/piece/template.ts';
import { TWINS } from '../../../src/domain/piece/twins.ts';
import { examplesOf } from '../../helpers/examples.ts';
import { bundleWithFiles, runText } from '../../helpers/local-run.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/piece-language.md'), 'utf8');
const examples = examplesOf(page);

test('the page has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(12);
});

describe.each(examples)('the example at line $line', (example) => {
  test('lints without errors and warnings', () => {
    const findings = lintPiece(bundleWithFiles(example.piece)).filter((finding) => finding.level !== 'notice');

    expect(findings).toEqual([]);
  });

  test('can be drawn', () => {
    const { piece } = loadPiece(bundleWithFiles(example.piece));

    expect(piece && renderGraph(piece)).toContain('[*] --> m1');
  });

  test('runs as it says', async () => {
    const { lines, misuse } = await runText({ ...example, script: example.script });

    expect(lines.at(-1)).toMatchObject({ event: 'end', status: example.ends });
    expect(misuse).toBe(false);
  });
});

describe('the reference is complete', () => {
  const fields = Object.values(FIELD_TEXTS).flatMap((table) => Object.keys(table));

  test.each([...new Set(fields)])('it tells of the field %s', (field) => {
    expect(page).toMatch(new RegExp(`\`${field}\`|[{,] ?${field}[,}? :]`));
  });

  test.each(VARIABLES)('it tells of the variable %s', (name) => {
    expect(page).toContain(`{${name}}`);
  });

  test.each(Object.values(TWINS).flatMap((twins) => Object.keys(twins)))('it tells of the twin %s', (name) => {
    expect(page).toContain(`\`${name}\``);
  });
});
