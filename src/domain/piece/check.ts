/** Checks of a whole piece beyond its shape: names, references, files (spec 1: File, errors). */
import { checkTeleports, checkVariables } from './check-extensions.ts';
import { checkLimits } from './check-limits.ts';
import { type Checking, checkAgentFile, checkMovement, checkTemplate } from './check-movement.ts';
import { checkRules, type Names, notMovement } from './check-rules.ts';
import { type Findings, report } from './document.ts';
import { asList, asMap, asText } from './loose.ts';
import { toolOf } from './tool-names.ts';

/** Names that mean something to the engine. */
const RESERVED = ['COMPLETE', 'ABORT', 'loop_judge'];

/** Reports everything that is wrong with what the file says; works on any value, also of a wrong shape. */
export function checkMeaning(
  value: unknown,
  findings: Findings,
  files: Record<string, string>,
  strictPaths: boolean,
): void {
  const piece = asMap(value);
  const checking: Checking = { findings, names: checkNames(piece, findings), files, strictPaths };
  checkStart(piece, checking);
  checkLimits(piece, [], findings);
  for (const [index, movement] of asList(piece['movements']).entries())
    checkMovement(movement, ['movements', index], false, checking);
  for (const [index, monitor] of asList(piece['loop_monitors']).entries()) checkMonitor(monitor, index, checking);
  checkTeleports(piece, checking.names, findings);
  checkTools(piece['movements'], findings);
}

function checkNames(piece: Record<string, unknown>, findings: Findings): Names {
  const { movements, teleports } = piece;
  const names = {
    movements: new Set<string>(),
    subs: new Map<string, string>(),
    teleports: new Set<string>(),
    variables: checkVariables(piece['variables'], findings),
  };
  const check = (value: unknown, path: (string | number)[]): string | null => {
    const name = asText(asMap(value)['name']);
    if (name === null) return null;
    const at = [...path, 'name'];
    if (RESERVED.includes(name))
      report(findings, 'error', 'reserved_name', at, `the name \`${name}\` is reserved; choose another`);
    if (names.movements.has(name) || names.subs.has(name) || names.teleports.has(name)) {
      report(
        findings,
        'error',
        'duplicate_name',
        at,
        `the name \`${name.slice(0, 80)}\` is used twice; names are unique, sub-movements included`,
      );
    }
    return name;
  };
  for (const [index, movement] of asList(movements).entries()) {
    const path = ['movements', index];
    const name = check(movement, path);
    if (name !== null) names.movements.add(name);
    for (const [subIndex, sub] of asList(asMap(movement)['parallel']).entries()) {
      const subName = check(sub, [...path, 'parallel', subIndex]);
      if (subName !== null && !names.movements.has(subName)) names.subs.set(subName, name ?? '');
    }
  }
  for (const [index, teleport] of asList(teleports).entries()) {
    const name = check(teleport, ['teleports', index]);
    if (name !== null && !names.movements.has(name)) names.teleports.add(name);
  }
  // A movement that comes later may have taken a sub-movement's name: it is reported above, and counts as a movement.
  for (const name of names.movements) names.subs.delete(name);
  return names;
}

function checkStart(piece: Record<string, unknown>, checking: Checking): void {
  const { findings, names } = checking;
  if (piece['max_iterations'] === undefined)
    report(findings, 'warning', 'defaulted', [], '`max_iterations` is left out: 10 movements at most');
  const initial = asText(piece['initial_movement']);
  const [first] = names.movements;
  if (initial !== null && !names.movements.has(initial)) {
    report(
      findings,
      'error',
      'unknown_movement',
      ['initial_movement'],
      `\`${initial.slice(0, 80)}\` ${notMovement(initial, names)}`,
    );
  } else if (piece['initial_movement'] === undefined && first !== undefined) {
    report(
      findings,
      'warning',
      'defaulted',
      [],
      `\`initial_movement\` is left out: the run begins with the first, \`${first.slice(0, 80)}\``,
    );
  }
}

function checkMonitor(value: unknown, index: number, checking: Checking): void {
  const { findings, names } = checking;
  const path = ['loop_monitors', index];
  const monitor = asMap(value);
  for (const [position, item] of asList(monitor['cycle']).entries()) {
    const name = asText(item);
    if (name !== null && !names.movements.has(name)) {
      report(
        findings,
        'error',
        'unknown_cycle',
        [...path, 'cycle', position],
        `\`${name.slice(0, 80)}\` ${notMovement(name, names)}`,
      );
    }
  }
  const judge = asMap(monitor['judge']);
  checkAgentFile(judge['agent'], [...path, 'judge', 'agent'], checking);
  checkTemplate(judge['instruction_template'], [...path, 'judge', 'instruction_template'], true, findings);
  checkRules(judge['rules'], [...path, 'judge', 'rules'], { kind: 'judge' }, names, findings);
}

/** Names of tools that do not exist here: one notice a file. */
function checkTools(movements: unknown, findings: Findings): void {
  const unknown = new Set<string>();
  let first: (string | number)[] | null = null;
  for (const [index, item] of asList(movements).entries()) {
    const holders = [
      { value: item, path: ['movements', index] },
      ...asList(asMap(item)['parallel']).map((value, sub) => ({ value, path: ['movements', index, 'parallel', sub] })),
    ];
    for (const { value, path } of holders) {
      for (const name of asList(asMap(value)['allowed_tools'])) {
        if (typeof name !== 'string' || toolOf(name) !== null) continue;
        unknown.add(name.slice(0, 60));
        first ??= [...path, 'allowed_tools'];
      }
    }
  }
  if (first === null) return;
  const names = [...unknown]
    .slice(0, 20)
    .map((name) => `\`${name}\``)
    .join(', ');
  report(findings, 'notice', 'unknown_tools', first, `tools that do not exist here are passed over: ${names}`, 'key');
}
