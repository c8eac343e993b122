/** What the schema finds, in words for people and with the nearest known key (spec 1: File, errors). */
import type { z } from 'zod';
import { type Findings, type Path, report } from './document.ts';
import { didYouMean } from './nearest.ts';
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
  SubMovementFile,
  TeleportFile,
  VariableFile,
} from './schema.ts';

type Issue = z.core.$ZodIssue;

/** Checks the shape of a piece file and reports every problem. Returns the value when it has the shape. */
export function checkShape(value: unknown, findings: Findings): PieceFile | null {
  const result = PieceFile.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) reportIssue(issue, [], value, findings);
  return null;
}

function reportIssue(issue: Issue, prefix: Path, value: unknown, findings: Findings): void {
  const path = [...prefix, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys)
      report(findings, 'error', 'unknown_key', [...path, key], unknownKey(key, path), 'key');
    return;
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors);
    if (branch !== null) {
      for (const inner of branch) reportIssue(inner, path, value, findings);
      return;
    }
  }
  const given = valueAt(value, path);
  const last = path.at(-1);
  const what =
    typeof last === 'number'
      ? `entry ${last + 1} of \`${String(path.at(-2) ?? '')}\``
      : last === undefined
        ? 'the file'
        : `\`${last}\``;
  if (given === undefined) {
    report(findings, 'error', 'missing_key', path, `${what} is missing${missingHint(last)}`);
    return;
  }
  const got = issue.code === 'too_small' && Array.isArray(given) ? '' : `, got ${shown(given)}`;
  report(
    findings,
    'error',
    codeOf(issue, given),
    path,
    `${what} must be ${expected(issue, last)}${got}${near(issue, given)}`,
  );
}

function codeOf(issue: Issue, given: unknown): string {
  if (given === null) return 'empty_value';
  if (issue.code === 'invalid_type') return 'wrong_type';
  return Array.isArray(given) && given.length === 0 ? 'empty_list' : 'wrong_value';
}

/** Of a union the branch whose kind fits: its problems lie deeper than the value itself. */
function nearestBranch(branches: Issue[][]): Issue[] | null {
  return (
    branches.find(
      (issues) =>
        issues.length > 0 && !issues.some((issue) => issue.path.length === 0 && issue.code !== 'unrecognized_keys'),
    ) ?? null
  );
}

function expected(issue: Issue, key: string | number | undefined): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeName(issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map((known) => `\`${String(known)}\``).join(', ')}`;
    case 'too_small':
      return issue.origin === 'array'
        ? 'a list with at least one entry'
        : issue.origin === 'string'
          ? 'a text that is not empty'
          : `at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array' ? `a list of at most ${issue.maximum} entries` : `at most ${issue.maximum}`;
    default:
      return unionName(key);
  }
}

function unionName(key: string | number | undefined): string {
  if (key === 'report') return 'a file name, a map with `name` and `format`, or a list of `Label: file`';
  if (key === 'produces') return 'a kind of data or a list of kinds';
  if (key === 'variables') return 'a list of variables, each with `name` and `type`, or a map of them by name';
  if (key === 'timeout') return 'seconds, or a text such as 90s, 10m or 1h';
  return 'something else';
}

function near(issue: Issue, given: unknown): string {
  return issue.code === 'invalid_value' && typeof given === 'string' ? didYouMean(given, issue.values.map(String)) : '';
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function shown(value: unknown): string {
  if (value === null) return 'nothing (give a value or remove the line)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function missingHint(key: string | number | undefined): string {
  if (key === 'rules') return ': every movement needs at least one rule with `condition` and `next`';
  if (key === 'next') return ': name a movement, COMPLETE or ABORT';
  return '';
}

function unknownKey(key: string, path: Path): string {
  const known = knownKeys(path);
  if (path.at(-2) === 'parallel' && ['parallel', 'gate', 'action'].includes(key))
    return `unknown key \`${key}\` on a sub-movement; make it a movement of its own`;
  const text = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  // The short name is no key of the schema, and yet what people often mean.
  const hint = didYouMean(key, known.includes('instruction_template') ? [...known, 'instruction'] : known);
  return `unknown key \`${text}\`${hint === '' ? `; known here: ${known.join(', ')}` : hint}`;
}

/** The keys known at a place: told from the path alone. */
function knownKeys(path: Path): string[] {
  const names = path.filter((part) => typeof part === 'string');
  const last = names.at(-1);
  if (last === undefined) return Object.keys(PieceFile.shape);
  if (names[0] === 'variables') return Object.keys(VariableFile.shape);
  if (names[0] === 'teleports') return Object.keys(TeleportFile.shape);
  if (last === 'budget') return Object.keys(BudgetFile.shape);
  if (last === 'inputSchema') return Object.keys(InputSchemaFile.shape);
  if (names.includes('inputSchema')) return Object.keys(PropertyFile.shape);
  if (last === 'rules') return Object.keys(RuleFile.shape);
  if (last === 'judge') return Object.keys(JudgeFile.shape);
  if (last === 'report') return Object.keys(ReportMapFile.shape);
  if (last === 'loop_monitors') return Object.keys(LoopMonitorFile.shape);
  return Object.keys(last === 'parallel' ? SubMovementFile.shape : MovementFile.shape);
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<string | number, unknown>)[part];
  }
  return current;
}
