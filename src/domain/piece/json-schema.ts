/** The JSON Schema of piece files, generated from the shape, so that editors complete and check pieces while they are written. */
import { z } from 'zod';
import { FIELD_TEXTS } from './field-texts.ts';
import {
  BudgetFile,
  InputSchemaFile,
  JudgeFile,
  LoopMonitorFile,
  MovementFile,
  PieceFile,
  PropertyFile,
  ReportMapFile,
  RuleFile,
  TeleportFile,
  VariableFile,
} from './schema.ts';
import { TWINS } from './twins.ts';

type Schema = Record<string, unknown>;

/** What each part is told apart by: its schema and the table of its fields' texts. */
const PARTS = [
  { of: 'piece', shape: PieceFile.shape },
  { of: 'movement', shape: MovementFile.shape },
  { of: 'rule', shape: RuleFile.shape },
  { of: 'report', shape: ReportMapFile.shape },
  { of: 'monitor', shape: LoopMonitorFile.shape },
  { of: 'judge', shape: JudgeFile.shape },
  { of: 'variable', shape: VariableFile.shape },
  { of: 'inputs', shape: InputSchemaFile.shape },
  { of: 'property', shape: PropertyFile.shape },
  { of: 'teleport', shape: TeleportFile.shape },
  { of: 'budget', shape: BudgetFile.shape },
] as const;

/** A JSON Schema of draft 2020-12; names of other versions are in it, marked as deprecated. */
export function pieceJsonSchema(): Schema {
  const schema = z.toJSONSchema(PieceFile, { io: 'input', unrepresentable: 'any' }) as Schema;
  visit(schema);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:planwright:piece',
    title: 'Planwright piece',
    description: 'A state machine of agent steps (movements), see docs/piece-language.md.',
    ...withoutMeta(schema),
  };
}

function withoutMeta({ $schema: _, ...schema }: Schema): Schema {
  return schema;
}

function visit(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) visit(item);
    return;
  }
  const schema = node as Schema;
  for (const value of Object.values(schema)) visit(value);
  // The bound of whole numbers that can be held exactly says nothing to people.
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  const properties = schema['properties'];
  if (typeof properties === 'object' && properties !== null) describe(schema, properties as Record<string, Schema>);
}

/** Adds the fields' texts and, beside each field, the names that are read as it. */
function describe(schema: Schema, properties: Record<string, Schema>): void {
  const keys = Object.keys(properties);
  const fitting = PARTS.filter(({ shape }) => keys.every((key) => Object.hasOwn(shape, key)));
  // A judge has only fields that a movement has too: the smallest is meant.
  const [part] = fitting.toSorted((a, b) => Object.keys(a.shape).length - Object.keys(b.shape).length);
  if (part === undefined) return;
  const texts: Record<string, string> = FIELD_TEXTS[part.of];
  for (const [key, property] of Object.entries(properties)) {
    const text = texts[key];
    if (text !== undefined) property['description'] = text;
  }
  if (part.of === 'rule') schema['oneOf'] = [having('condition'), having('when')];
  addTwins(schema, properties, TWINS[part.of] ?? {});
}

function addTwins(schema: Schema, properties: Record<string, Schema>, twins: Record<string, string>): void {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const either: Schema[] = [];
  for (const [name, twin] of Object.entries(twins)) {
    const property = properties[twin];
    if (property === undefined || name === twin) continue;
    const deprecated = name === 'instruction' ? {} : { deprecated: true };
    properties[name] = { ...property, ...deprecated, description: `Another name of \`${twin}\`.` };
  }
  for (const key of required) {
    const names = [key, ...Object.keys(twins).filter((name) => twins[name] === key)];
    if (names.length > 1) either.push({ anyOf: names.map(having) });
  }
  if (either.length === 0) return;
  schema['required'] = required.filter((key) => !Object.values(twins).includes(key));
  schema['allOf'] = either;
}

function having(key: string): Schema {
  return { type: 'object', properties: { [key]: {} }, required: [key] };
}
