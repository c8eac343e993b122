/**
 * `decide(piece, state)`: what follows from what is recorded (D1–D5). It returns all open effects (D2), facts to record, a wait or the end;
 * it never changes `state` and calls nothing.
 */
import { cleanOutput, summarise } from '../piece/output.ts';
import { whenRule, wordRule } from '../piece/rules.ts';
import type { Movement, Piece } from '../piece/types.ts';
import { ContextRequest } from '../workplan/schema.ts';
import { openQuestion } from './ask.ts';
import { amountsOf, type BudgetReached } from './budget.ts';
import { decideLoop } from './decide-loop.ts';
import { decideMovement } from './decide-movement.ts';
import { abort, type Decision, isScoring, maxIterations, nextPauseId } from './decision.ts';
import type { RunEventBody } from './events.ts';
import { gatesPassed } from './fold.ts';
import type { OpenPause, ResumeDecision, RunState } from './state.ts';
import { readVariables } from './variables.ts';

export function decide(piece: Piece, state: RunState): Decision {
  const { phase } = state;
  switch (phase.kind) {
    case 'new':
      return abort(state, 'not_started', 'The run has no first event.');
    case 'pinning':
      return { kind: 'effects', effects: [{ kind: 'pin', id: `${state.runId}/0//pin/1` }] };
    case 'pin_failed':
    case 'replies_failed':
      return abort(state, phase.code, phase.message);
    case 'overdue':
      return abort(state, ...OVERDUE[phase.what]);
    case 'spent':
      return spent(state, phase.reached);
    case 'entering':
      return enter(piece, state, phase.movement ?? piece.initialMovement);
    case 'running':
      return decideMovement(piece, state);
    case 'judging':
      return decideLoop(piece, state, phase.loop);
    case 'paused':
      return { kind: 'wait', pauseId: phase.pause.id };
    case 'collecting': {
      const id = `${state.runId}/${state.iteration}/${phase.pause.movement}/replies/${state.pauses}`;
      return { kind: 'effects', effects: [{ kind: 'replies', id, pauseId: phase.pause.id }] };
    }
    case 'collected':
      return afterPause(piece, state, phase.pause, phase.decision);
    case 'ended':
      return { kind: 'end' };
    default:
      return phase satisfies never;
  }
}

/** Reason and message by what was passed. */
const OVERDUE: Record<Extract<RunState['phase'], { kind: 'overdue' }>['what'], [string, string]> = {
  run: ['deadline', 'The time limit of this run was reached.'],
  pause: ['pause_expired', 'Nobody continued the run before its pause expired.'],
  budget: ['budget', 'The run used up its budget.'],
};

/**
 * A run without budget waits for room where somebody can give it some; while its plan is being scored it ends with the plan (spec 2:
 * generationStatus). Nothing of what was done is lost, and no iteration is counted.
 */
function spent(state: RunState, reached: BudgetReached): Decision {
  const whose = reached.scope === 'run' ? 'of this run' : "of the project's day";
  const message = `The budget ${whose} is used up: ${amountsOf(reached)}.`;
  if (!state.interactive || state.item === null || isScoring(state)) return abort(state, 'budget', message);
  const movement = state.current?.name ?? '';
  return {
    kind: 'record',
    events: [{ type: 'paused', pauseId: nextPauseId(state), kind: 'budget', movement, questions: [], missing: [] }],
  };
}

function movementOf(piece: Piece, name: string): Movement | undefined {
  return piece.movements.find((movement) => movement.name === name);
}

function enter(piece: Piece, state: RunState, name: string): Decision {
  if (name === 'COMPLETE')
    return { kind: 'record', events: [{ type: 'ended', status: 'completed', reason: null, message: '', by: null }] };
  if (name === 'ABORT') {
    const said = summarise(state.previousResponse);
    return abort(
      state,
      'aborted',
      `A rule of the piece led to ABORT.${said === '' ? '' : ` The last output: ${said}`}`,
    );
  }
  const movement = movementOf(piece, name);
  if (!movement) return abort(state, 'unknown_movement', `The piece has no movement "${name}".`);
  if (movement.kind === 'gate') return enterGate(piece, state, movement);
  if (state.iteration >= piece.maxIterations) return { kind: 'record', events: maxIterations(piece, state) };
  const count = (state.consecutive?.movement === name ? state.consecutive.count : 0) + 1;
  const events: RunEventBody[] = [
    {
      type: 'movement_started',
      movement: name,
      iteration: state.iteration + 1,
      movementIteration: (state.movementIteration[name] ?? 0) + 1,
      subs: movement.kind === 'parallel' ? movement.subs.map((sub) => sub.name) : [],
    },
  ];
  if (count >= 3)
    events.push({ type: 'warning', code: 'loop', message: `"${name}" runs ${count} times in a row.`, movement: name });
  return { kind: 'record', events };
}

type Gate = Extract<Movement, { kind: 'gate' }>;

function takeGateRule(state: RunState, gate: Gate, outcome: 'continued' | 'approved' | 'rejected'): Decision {
  const when = whenRule(gate.rules, state.interactive, readVariables(state, null));
  const rule = when ?? wordRule(gate.rules, state.interactive, outcome);
  if (!rule) return withoutRule(state, gate, `The gate "${gate.name}" has no rule "${outcome}".`);
  return {
    kind: 'record',
    events: [
      {
        type: 'movement_completed',
        movement: gate.name,
        rule: rule.index,
        condition: rule.text,
        method: when === null ? 'gate' : 'when',
        next: rule.next,
      },
    ],
  };
}

/** A gate whose only rule for what was said does not exist in this run (`interactive_only`). */
function withoutRule(state: RunState, { name, onFailure }: Gate, message: string): Decision {
  const code = 'no_rule_matched';
  if (onFailure === undefined) return abort(state, code, message);
  return {
    kind: 'record',
    events: [
      { type: 'warning', code, message, movement: name },
      {
        type: 'movement_completed',
        movement: name,
        rule: null,
        condition: null,
        method: 'on_failure',
        next: onFailure,
      },
    ],
  };
}

function enterGate(piece: Piece, state: RunState, gate: Gate): Decision {
  const request = ContextRequest.safeParse(state.data.context_request);
  const tooThin = ['The description is too thin to research.'];
  const missing = gate.gate !== 'context' ? [] : request.success ? request.data.missing : tooThin;
  if (!state.interactive) {
    if (gate.gate === 'context') return abort(state, 'needs_context', missing.join(' '));
    // Gates count no iteration: a circle of nothing but gates must end too (D4).
    if (gatesPassed(state) >= piece.movements.length) return { kind: 'record', events: maxIterations(piece, state) };
    return takeGateRule(state, gate, gate.gate === 'approval' ? 'approved' : 'continued');
  }
  if (state.iteration >= piece.maxIterations) return { kind: 'record', events: maxIterations(piece, state) };
  const kind = gate.gate === 'context' ? 'context_gate' : gate.gate === 'approval' ? 'approval' : 'question';
  // An input gate asks in the open too (spec 2: It tells): a pause without a note could not be seen, nor answered.
  const said = cleanOutput(state.previousResponse) || `"${gate.name}" waits for input.`;
  const questions = gate.gate === 'input' ? [openQuestion(state, gate.name, said)] : [];
  return {
    kind: 'record',
    events: [{ type: 'paused', pauseId: nextPauseId(state), kind, movement: gate.name, questions, missing }],
  };
}

function afterPause(piece: Piece, state: RunState, pause: OpenPause, decision: ResumeDecision): Decision {
  const movement = movementOf(piece, pause.movement);
  if (movement?.kind !== 'gate') return enter(piece, state, pause.movement);
  if (movement.gate !== 'approval') return takeGateRule(state, movement, 'continued');
  return takeGateRule(state, movement, decision === 'reject' ? 'rejected' : 'approved');
}
