import { parseCondition } from '../../../../src/domain/piece/condition.ts';
import { loadPiece } from '../../../../src/domain/piece/load.ts';
import { parseExpression } from '../../../../src/domain/piece/parse-expression.ts';
import { buildPrompt } from '../../../../src/domain/piece/prompt.ts';
import type {
  AgentMovement,
  Condition,
  Diagnostic,
  Piece,
  PieceBundle,
  Rule,
} from '../../../../src/domain/piece/types.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';

export function bundleOf(text: string, files: Record<string, string> = {}, file = 'demo.yaml'): PieceBundle {
  return { name: 'demo', file, text, files };
}

/** Loads a piece that must load. */
export function pieceOf(text: string, files: Record<string, string> = {}): Piece {
  const { piece, diagnostics } = loadPiece(bundleOf(text, files));
  if (piece === null) throw new Error(diagnostics.map(lineOf).join('\n'));
  return piece;
}

/** The findings of a text, as `line:column level code message`. */
export function findingsOf(text: string, files: Record<string, string> = {}): string[] {
  return loadPiece(bundleOf(text, files)).diagnostics.map(lineOf);
}

function lineOf({ code, column, level, line, message }: Diagnostic): string {
  return `${line}:${column} ${level} ${code} ${message}`;
}

export function agentOf(piece: Piece, name: string): AgentMovement {
  const movement = piece.movements
    .flatMap((candidate) => (candidate.kind === 'parallel' ? candidate.subs : [candidate]))
    .find((candidate) => candidate.name === name);
  if (movement?.kind !== 'agent') throw new Error(`no agent movement ${name}`);
  return movement;
}

/** A rule of a condition, or behind `when` of an expression; a leading `~` makes it interactive only. */
export function rulesOf(...conditions: string[]): Rule[] {
  return conditions.map((written, index) => {
    const text = written.replace(/^~?(?:when )?/, '');
    return {
      index,
      condition: /^~?when /.test(written) ? whenOf(text) : conditionOf(text),
      text,
      next: 'COMPLETE',
      requiresUserInput: false,
      interactiveOnly: written.startsWith('~'),
    };
  });
}

function conditionOf(text: string): Condition {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.condition;
}

function whenOf(text: string): Condition {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return { kind: 'when', text, expression: parsed.expression };
}

/** The state of a run in its second iteration, in movement `plan`. */
export function stateOf(changes: Partial<RunState> = {}): RunState {
  return {
    ...initialState('r1'),
    goal: 'Add a login page',
    reportDir: '20260102-030405-add-a-login-page',
    interactive: false,
    phase: { kind: 'running' },
    current: { name: 'plan', iteration: 2, order: [], results: {}, subs: {}, judged: {}, action: null },
    iteration: 2,
    movementIteration: { plan: 1 },
    ...changes,
  };
}

/** The first lines of a piece whose movement is `plan`. */
export const PLAN_HEAD = 'name: demo\nmax_iterations: 10\ninitial_movement: plan\n';

/** The prompt of `plan` with these lines in it. */
export function promptOf(lines: string[], state: Partial<RunState> = {}, language = 'en'): string {
  const rules = lines.some((line) => line.startsWith('rules:')) ? [] : ['rules: [{condition: done, next: COMPLETE}]'];
  const body = ['- name: plan', '  edit: false', ...[...lines, ...rules].map((line) => `  ${line}`)].map(
    (line) => `  ${line}`,
  );
  const text = `${PLAN_HEAD}language: ${language}\nmovements:\n${body.join('\n')}\n`;
  const piece = pieceOf(text, { 'a.md': 'You plan.' });
  const input = {
    piece,
    bundle: bundleOf(text, { 'a.md': 'You plan.' }),
    state: stateOf(state),
    movement: agentOf(piece, 'plan'),
    isSub: false,
  };
  return buildPrompt({ ...input, place: 'acme/sample#2 at abc' }).text;
}
