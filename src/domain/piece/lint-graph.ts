/** Ways that a run can never take (spec 1: What the linter says besides). */
import { type Findings, type Path, report } from './document.ts';
import { reachable, targetsOf } from './graph.ts';
import type { Movement, Piece } from './types.ts';

export function lintGraph(piece: Piece, findings: Findings): void {
  const found = reachable(piece);
  for (const [index, movement] of piece.movements.entries()) {
    if (!found.has(movement.name)) {
      const message = `\`${movement.name}\` is never reached from \`${piece.initialMovement}\``;
      report(findings, 'warning', 'unreachable_movement', ['movements', index, 'name'], message);
    }
    for (const rule of movement.rules) {
      if (!rule.requiresUserInput || rule.next !== 'ABORT') continue;
      const message =
        '`next: ABORT` is never followed: with `requires_user_input` the run pauses and the movement runs again';
      report(findings, 'warning', 'input_then_abort', ['movements', index, 'rules', rule.index, 'next'], message);
    }
  }
  if (!canComplete(piece, found)) {
    report(
      findings,
      'warning',
      'no_complete',
      ['movements'],
      'no way leads to COMPLETE: the run can only be aborted',
      'key',
    );
  }
  for (const [index, { cycle }] of piece.loopMonitors.entries()) {
    lintCycle(piece, cycle, ['loop_monitors', index, 'cycle'], findings);
  }
}

function canComplete(piece: Piece, found: ReadonlySet<string>): boolean {
  const judged = piece.loopMonitors
    .filter(({ cycle }) => cycle.every((name) => found.has(name)))
    .some(({ judge }) => judge.rules.some((rule) => rule.next === 'COMPLETE'));
  return (
    judged || piece.movements.some((movement) => found.has(movement.name) && targetsOf(movement).includes('COMPLETE'))
  );
}

function lintCycle(piece: Piece, cycle: string[], path: Path, findings: Findings): void {
  const byName = new Map(piece.movements.map((movement) => [movement.name, movement]));
  if (cycle.length === 1) {
    const message = 'a cycle of one movement watches it running again and again; name two or more to watch a loop';
    report(findings, 'warning', 'one_element_cycle', path, message, 'key');
  }
  for (const [index, name] of cycle.entries()) {
    const from = byName.get(name);
    const to = cycle[(index + 1) % cycle.length] ?? name;
    if (from === undefined) continue;
    if (from.kind === 'gate') {
      const message = `the cycle is never full: gates such as \`${name}\` are not in the history of movements`;
      report(findings, 'warning', 'impossible_cycle', [...path, index], message);
    } else if (byName.get(to)?.kind !== 'gate' && !followers(from, byName).has(to)) {
      const message = `the cycle is never full: no rule leads from \`${name}\` to \`${to}\``;
      report(findings, 'warning', 'impossible_cycle', [...path, index], message);
    }
  }
}

/** The movements that can come next in the history: gates are walked through. A pause runs the movement itself again. */
function followers(from: Movement, byName: ReadonlyMap<string, Movement>): Set<string> {
  const found = new Set<string>(from.rules.some((rule) => rule.requiresUserInput) ? [from.name] : []);
  const gates = new Set<string>();
  const waiting = [...targetsOf(from)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const movement = byName.get(name);
    if (movement?.kind !== 'gate') found.add(name);
    else if (!gates.has(name)) {
      gates.add(name);
      waiting.push(...targetsOf(movement));
    }
  }
  return found;
}
