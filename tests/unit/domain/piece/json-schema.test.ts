import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { FIELD_TEXTS } from '../../../../src/domain/piece/field-texts.ts';
import { pieceJsonSchema } from '../../../../src/domain/piece/json-schema.ts';
import { examplesOf } from '../../../helpers/examples.ts';

const root = path.join(import.meta.dirname, '../../../..');
const schema = pieceJsonSchema();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

type Node = Record<string, unknown>;

/** Every object of the schema with its own fields, wherever it stands. */
function objectsOf(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'properties' in node && 'additionalProperties' in node ? [node as Node] : [];
  return [...own, ...Object.values(node).flatMap(objectsOf)];
}

test('the file for editors is the one that the shape gives', () => {
  // Written by: ./planwright piece schema > schema/piece.schema.json
  expect(JSON.parse(read('schema/piece.schema.json'))).toEqual(schema);
});

test('no object takes unknown keys', () => {
  expect(objectsOf(schema).filter((object) => object['additionalProperties'] !== false)).toEqual([]);
});

test('every field has a text', () => {
  const silent = objectsOf(schema).flatMap((object) =>
    Object.entries(object['properties'] as Record<string, Node>).filter(
      ([, field]) => field['description'] === undefined,
    ),
  );

  expect(silent).toEqual([]);
});

test('every text belongs to a field', () => {
  const text = JSON.stringify(schema);
  const lost = Object.values(FIELD_TEXTS).flatMap((table) =>
    Object.entries(table).filter(([, words]) => !text.includes(JSON.stringify(words).slice(1, -1))),
  );

  expect(lost).toEqual([]);
});

describe('a validator of JSON Schema', () => {
  const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  const pieces = [
    ...examplesOf(read('docs/piece-language.md')).map((example) => example.piece),
    read('tests/fixtures/pieces/default.yaml'),
    read('pieces/workplan.yaml'),
    'workflow: old\nmax_steps: 3\nsteps:\n  - step: a\n    persona: a.md\n    instruction: x\n    rules: [{ condition: x, next: COMPLETE }]\n',
  ];

  test.each(pieces)('takes the piece %#', (text) => {
    expect(validator.safeParse(parse(text, { merge: true })).error?.issues ?? []).toEqual([]);
  });

  test.each([
    'name: a\nmovements: []\n',
    'movements: [{ name: a, rules: [{ condition: x, next: COMPLETE }] }]\n',
    'name: a\nmovments: []\n',
    'name: a\nmovements: [{ name: a, report: { name: x.md, fromat: y }, rules: [{ condition: x, next: COMPLETE }] }]\n',
    'name: a\nmovements: [{ name: a, rules: [{ next: COMPLETE }] }]\n',
    'name: a\nmovements: [{ name: a, gate: maybe, rules: [{ condition: x, next: COMPLETE }] }]\n',
  ])('refuses %j', (text) => {
    expect(validator.safeParse(parse(text)).success).toBe(false);
  });
});
