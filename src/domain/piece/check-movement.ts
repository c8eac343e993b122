/** Checks of one movement or sub-movement beyond its shape (spec 1: Movement, Reports, Extensions). */
import { checkInputs, isRoute } from './check-extensions.ts';
import { checkLimits } from './check-limits.ts';
import { checkRules, type Names, notMovement, type RulesOf } from './check-rules.ts';
import { type Findings, type Path, report } from './document.ts';
import { asList, asMap, asText, type Loose } from './loose.ts';
import { didYouMean } from './nearest.ts';
import { filePathProblem, isFormatPath, reportNameProblem } from './paths.ts';
import { VARIABLES, writtenVariables } from './template.ts';

/** What the checks of a file share. */
export interface Checking {
  findings: Findings;
  names: Names;
  /** Texts of the files that the piece names, by the path as written. */
  files: Record<string, string>;
  strictPaths: boolean;
}

/** Keys that mean something only where an agent runs. */
const AGENT_KEYS = [
  'agent',
  'agent_name',
  'permission_mode',
  'session',
  'pass_previous_response',
  'allowed_tools',
  'instruction_template',
  'report',
  'produces',
  'inputSchema',
];

export function checkMovement(value: unknown, path: Path, isSub: boolean, checking: Checking): void {
  // The schema tells what is no movement at all.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const movement = asMap(value);
  const of = kindOf(movement, path, isSub, checking.findings);
  checkRules(movement['rules'], [...path, 'rules'], of, checking.names, checking.findings);
  checkOnFailure(movement, path, isSub, checking);
  checkLimits(movement, path, checking.findings);
  if ((of.kind === 'agent' || of.kind === 'sub') && !of.runsNoAgent) checkAgent(movement, path, checking);
  else reportIgnored(movement, path, of, checking.findings);
  if (of.kind !== 'parallel' && movement['max_parallel'] !== undefined) {
    report(
      checking.findings,
      'warning',
      'ignored_key',
      [...path, 'max_parallel'],
      '`max_parallel` does nothing without `parallel`',
      'key',
    );
  }
  if (of.kind === 'parallel') {
    if (of.subs === 0)
      report(
        checking.findings,
        'warning',
        'no_sub_movements',
        [...path, 'parallel'],
        '`parallel` is empty: nothing runs here, and `all()` and `any()` are false',
        'key',
      );
    for (const [index, sub] of asList(movement['parallel']).entries())
      checkMovement(sub, [...path, 'parallel', index], true, checking);
  }
}

/** Checks an agent file's path, and that there is such a file. */
export function checkAgentFile(value: unknown, path: Path, checking: Checking): void {
  if (typeof value !== 'string' || value.trim() === '') return;
  const file = value.trim();
  if (namesFile('agent', file, path, checking)) return;
  const message = `there is no agent file \`${shorten(file)}\`; the path is relative to the piece file`;
  report(checking.findings, 'error', 'missing_file', path, message);
}

/** True when the file is there, or its path was reported: then there is nothing more to say of it. */
function namesFile(what: 'agent' | 'format', file: string, path: Path, checking: Checking): boolean {
  const problem = filePathProblem(file, checking.findings.file, checking.strictPaths);
  if (problem === null) return Object.hasOwn(checking.files, file);
  const message = `the ${what} file \`${shorten(file)}\` cannot be used: ${problem}`;
  report(checking.findings, 'error', 'bad_path', path, message);
  return true;
}

/** Reports `{…}` that no variable is; they stay as written. */
export function checkTemplate(value: unknown, path: Path, isJudge: boolean, findings: Findings): void {
  if (typeof value !== 'string') return;
  const known: string[] = VARIABLES.filter((name) => isJudge || name !== 'cycle_count');
  for (const name of new Set(writtenVariables(value))) {
    if (known.includes(name)) continue;
    const why = name === 'cycle_count' ? "exists only in a loop monitor's judge" : 'is no variable';
    report(
      findings,
      'warning',
      'unknown_variable',
      path,
      `\`{${name}}\` ${why} and stays as written${didYouMean(name, known)}`,
      'key',
    );
  }
}

function kindOf(movement: Loose, path: Path, isSub: boolean, findings: Findings): RulesOf {
  const agent = { produces: kindsOf(movement['produces']), runsNoAgent: isRoute(movement) };
  if (isSub) return { kind: 'sub', ...agent };
  const kinds = ['parallel', 'gate', 'action'].filter((key) => movement[key] !== undefined);
  for (const other of kinds.slice(1)) {
    report(
      findings,
      'error',
      'conflicting_keys',
      [...path, other],
      `\`${kinds[0]}\` and \`${other}\` cannot stand on one movement; make it two`,
      'key',
    );
  }
  if (kinds[0] === 'parallel') return { kind: 'parallel', subs: asList(movement['parallel']).length };
  if (kinds[0] === 'gate') return { kind: 'gate', gate: asText(movement['gate']) ?? '' };
  return kinds[0] === 'action' ? { kind: 'action' } : { kind: 'agent', ...agent };
}

function kindsOf(produces: unknown): string[] {
  return (Array.isArray(produces) ? produces : [produces]).filter((kind) => typeof kind === 'string');
}

function checkAgent(movement: Loose, path: Path, checking: Checking): void {
  const { findings } = checking;
  checkAgentFile(movement['agent'], [...path, 'agent'], checking);
  checkTemplate(movement['instruction_template'], [...path, 'instruction_template'], false, findings);
  checkReport(movement['report'], [...path, 'report'], checking);
  checkInputs(movement['inputSchema'], [...path, 'inputSchema'], checking.names, findings);
  const { edit, permission_mode: mode } = movement;
  if (edit === undefined) {
    const name = asText(movement['name']);
    report(
      findings,
      'warning',
      'defaulted',
      path,
      `\`edit\` is left out${name === null ? '' : ` on \`${shorten(name)}\``}: read as \`edit: false\``,
    );
  }
  const fits = edit === true ? mode !== 'readonly' : mode !== 'edit' && mode !== 'full';
  if (mode !== undefined && (edit === undefined || typeof edit === 'boolean') && !fits) {
    const allowed = edit === true ? '`edit` or `full`' : '`readonly`';
    report(
      findings,
      'error',
      'permission_pair',
      [...path, 'permission_mode'],
      `\`edit: ${edit === true}\` goes with \`permission_mode\` ${allowed} or none, got \`${String(mode)}\``,
    );
  }
}

function checkReport(value: unknown, path: Path, checking: Checking): void {
  const { findings } = checking;
  if (typeof value === 'string') {
    checkReportName(value, path, findings);
    return;
  }
  const format = asMap(value)['format'];
  if (!Array.isArray(value)) {
    const name = asText(asMap(value)['name']);
    if (name !== null) checkReportName(name, [...path, 'name'], findings);
    if (typeof format === 'string' && isFormatPath(format))
      checkFormatFile(format.trim(), [...path, 'format'], checking);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const entries = Object.entries(asMap(item));
    if (entries.length > 1) {
      const message = `each report of the list is one \`Label: file\`, got ${entries.length} in one entry; begin each with "- "`;
      report(findings, 'error', 'wrong_value', [...path, index], message);
    }
    for (const [label, file] of entries) {
      if (typeof file !== 'string') continue;
      checkReportName(file, [...path, index, label], findings);
      if (seen.has(file.trim()))
        report(
          findings,
          'error',
          'duplicate_report',
          [...path, index, label],
          `the report \`${shorten(file)}\` is listed twice`,
        );
      seen.add(file.trim());
    }
  }
}

function checkReportName(name: string, path: Path, findings: Findings): void {
  const problem = reportNameProblem(name.trim());
  if (problem !== null)
    report(
      findings,
      'error',
      'bad_report_name',
      path,
      `the report name ${JSON.stringify(shorten(name))} cannot be used: ${problem}`,
    );
}

function checkFormatFile(file: string, path: Path, checking: Checking): void {
  if (namesFile('format', file, path, checking)) return;
  const message = `there is no format file \`${shorten(file)}\`: its name is shown to the agent as the format`;
  report(checking.findings, 'warning', 'missing_format', path, message);
}

function checkOnFailure(movement: Loose, path: Path, isSub: boolean, checking: Checking): void {
  const target = asText(movement['on_failure']);
  if (target === null) return;
  const place = [...path, 'on_failure'];
  if (isSub)
    report(
      checking.findings,
      'warning',
      'ignored_key',
      place,
      "`on_failure` does nothing on a sub-movement: the parent's rules decide",
      'key',
    );
  else if (target === 'ABORT')
    report(
      checking.findings,
      'error',
      'unknown_next',
      place,
      '`on_failure` names a movement or COMPLETE; a run is aborted without it',
    );
  else if (target !== 'COMPLETE' && !checking.names.movements.has(target)) {
    report(
      checking.findings,
      'error',
      'unknown_next',
      place,
      `\`${shorten(target)}\` ${notMovement(target, checking.names)}`,
    );
  }
}

function reportIgnored(movement: Loose, path: Path, of: RulesOf, findings: Findings): void {
  // Limits of a parallel movement are limits of each sub-movement that has none of its own.
  const limits = ['timeout', 'budget'];
  const keys = [...AGENT_KEYS, ...limits].filter((key) => of.kind !== 'parallel' || !limits.includes(key));
  for (const key of keys) {
    if (movement[key] === undefined) continue;
    const what =
      of.kind === 'parallel'
        ? 'a parallel movement runs no agent itself'
        : of.kind === 'agent' || of.kind === 'sub'
          ? 'with `when` rules alone and no `instruction_template` no agent runs here'
          : 'no agent runs here';
    report(findings, 'warning', 'ignored_key', [...path, key], `\`${key}\` is ignored: ${what}`, 'key');
  }
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
