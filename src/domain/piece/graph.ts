/** Where a run can go from each movement: the piece as a graph (spec 1: Rules, Loop monitors). */
import type { Movement, Piece } from './types.ts';

/** The targets of a movement by itself: of rules that can be followed, and of `on_failure`; `COMPLETE` and `ABORT` included. */
export function targetsOf(movement: Movement): string[] {
  // A rule that asks people runs the movement again or ends the run: its `next` is never followed.
  const targets = movement.rules
    .filter((rule) => !rule.requiresUserInput && canMatch(movement, rule))
    .map((rule) => rule.next);
  return movement.onFailure === undefined ? targets : [...targets, movement.onFailure];
}

/** The movements that a run can come to, by rules, failures and loop monitors of cycles that can be reached. */
export function reachable(piece: Piece): Set<string> {
  const byName = new Map(piece.movements.map((movement) => [movement.name, movement]));
  const found = new Set<string>();
  // A teleport enters from outside, whatever the rules say (spec 3).
  const waiting = [piece.initialMovement, ...(piece.teleports ?? []).map((teleport) => teleport.next)];
  const visit = () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const movement = byName.get(name);
      if (movement === undefined || found.has(name)) continue;
      found.add(name);
      waiting.push(...targetsOf(movement));
    }
  };
  visit();
  // A judge may lead to movements that make another monitor's cycle reachable.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { cycle, judge } of piece.loopMonitors) {
      if (cycle.every((name) => found.has(name))) waiting.push(...judge.rules.map((rule) => rule.next));
    }
    visit();
  }
  return found;
}

function canMatch(movement: Movement, rule: Movement['rules'][number]): boolean {
  if (rule.condition.kind === 'when') return true;
  switch (movement.kind) {
    case 'parallel':
      return true;
    case 'agent':
      return rule.condition.kind === 'text' || rule.condition.kind === 'ai';
    case 'gate':
      return movement.gate === 'approval'
        ? rule.text === 'approved' || rule.text === 'rejected'
        : rule.text === 'continued';
    case 'action':
      return rule.text === 'done' || rule.text === 'failed';
  }
}
