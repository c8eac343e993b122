/** `decide` while a movement runs: its open effects, or the rule that its results match (spec 1: Rules). */
import { readNames } from '../piece/expression.ts';
import { fullMonitor } from '../piece/loops.ts';
import { type Match, matchAgent, matchParallel } from '../piece/match.ts';
import { summarise } from '../piece/output.ts';
import { runsNoAgent, whenRule, wordRule } from '../piece/rules.ts';
import type { ActionMovement, AgentMovement, Movement, ParallelMovement, Piece, Rule } from '../piece/types.ts';
import { newQuestions } from './ask.ts';
import { abort, type Decision, maxIterations, nextPauseId } from './decision.ts';
import type { Effect } from './effects.ts';
import type { EventOf, MatchMethod, RunEventBody } from './events.ts';
import { outputOf } from './fold.ts';
import type { AgentResult, CurrentMovement, RunState } from './state.ts';
import { readVariables, resultsOf } from './variables.ts';

export function decideMovement(piece: Piece, state: RunState): Decision {
  const { current } = state;
  const movement = piece.movements.find((candidate) => candidate.name === current?.name);
  if (!current || !movement)
    return abort(state, 'unknown_movement', `The piece has no movement "${current?.name ?? ''}".`);
  switch (movement.kind) {
    case 'agent':
      return decideAgent(piece, state, movement, current);
    case 'parallel':
      return decideParallel(piece, state, movement, current);
    case 'action':
      return decideAction(piece, state, movement, current);
    case 'gate':
      return abort(state, 'unknown_movement', `The gate "${movement.name}" cannot run.`);
    default:
      return movement satisfies never;
  }
}

function effectId(state: RunState, current: CurrentMovement, sub: string | null, stage: string): string {
  return `${state.runId}/${current.iteration}/${sub === null ? current.name : `${current.name}/${sub}`}/${stage}/1`;
}

function agentEffect(state: RunState, current: CurrentMovement, sub: string | null): Effect {
  return { kind: 'agent', id: effectId(state, current, sub, 'run'), movement: current.name, sub, monitor: null };
}

function judgeEffect(
  state: RunState,
  current: CurrentMovement,
  sub: string | null,
  match: Extract<Match, { kind: 'judge' }>,
  output: string,
): Effect {
  const { stage, conditions } = match;
  return {
    kind: 'judge',
    id: effectId(state, current, sub, stage),
    stage,
    movement: current.name,
    sub,
    conditions,
    output,
  };
}

/**
 * A movement that failed for good goes to its `on_failure`, else the run ends (D3: an event, never a default). A full loop monitor gets
 * the word here too: going on to `on_failure` may be the loop.
 */
function fail(piece: Piece, state: RunState, movement: Movement, code: string, message: string): Decision {
  const next = movement.onFailure;
  if (next === undefined) return abort(state, code, message);
  const failed: RunEventBody[] = [
    { type: 'warning', code, message, movement: movement.name },
    { type: 'movement_completed', movement: movement.name, rule: null, condition: null, method: 'on_failure', next },
  ];
  return goOn(piece, state, next, failed);
}

function decideAgent(piece: Piece, state: RunState, movement: AgentMovement, current: CurrentMovement): Decision {
  const result = current.results[''];
  if (!result && runsNoAgent(movement)) return decideRoute(piece, state, movement);
  if (!result) return { kind: 'effects', effects: [agentEffect(state, current, null)] };
  if (result.failed) return fail(piece, state, movement, result.failed.code, result.failed.message);
  const { interactive } = state;
  const { judged, output } = result;
  const match = matchAgent({ rules: movement.rules, interactive, output, judged, read: readVariables(state, null) });
  if (match.kind === 'judge') return { kind: 'effects', effects: [judgeEffect(state, current, null, match, output)] };
  return conclude(piece, state, movement, match, output);
}

/** `when` rules alone and no template: no agent runs, the variables decide (spec 1: Extensions). */
function decideRoute(piece: Piece, state: RunState, movement: AgentMovement): Decision {
  const rule = whenRule(movement.rules, state.interactive, readVariables(state, null));
  const match = rule === null ? ({ kind: 'none' } as const) : ({ kind: 'matched', rule, method: 'when' } as const);
  return conclude(piece, state, movement, match, '');
}

function decideParallel(piece: Piece, state: RunState, movement: ParallelMovement, current: CurrentMovement): Decision {
  const open: Effect[] = [];
  const completed: RunEventBody[] = [];
  for (const sub of movement.subs) {
    if (current.subs[sub.name]) continue;
    const result = current.results[sub.name];
    const step =
      result || runsNoAgent(sub)
        ? decideSub(state, movement, sub, current, result ?? null)
        : agentEffect(state, current, sub.name);
    if (isEvent(step)) completed.push(step);
    else open.push(step);
  }
  if (completed.length > 0) return { kind: 'record', events: completed };
  if (open.length > 0) return { kind: 'effects', effects: open.slice(0, movement.maxParallel ?? open.length) };
  const subs = movement.subs.map((sub) => ({
    name: sub.name,
    output: current.results[sub.name]?.output ?? '',
    hasRules: sub.rules.length > 0,
    condition: current.subs[sub.name]?.condition ?? null,
  }));
  const { interactive } = state;
  const read = readVariables(state, null);
  const match = matchParallel({ rules: movement.rules, interactive, subs, judged: current.judged, read });
  const output = outputOf(current);
  if (match.kind === 'judge') return { kind: 'effects', effects: [judgeEffect(state, current, null, match, output)] };
  return conclude(piece, state, movement, match, output);
}

function isEvent(step: Effect | EventOf<'sub_completed'>): step is EventOf<'sub_completed'> {
  return 'type' in step;
}

function decideSub(
  state: RunState,
  movement: ParallelMovement,
  sub: AgentMovement,
  current: CurrentMovement,
  result: AgentResult | null,
): Effect | EventOf<'sub_completed'> {
  const none = {
    type: 'sub_completed',
    movement: movement.name,
    sub: sub.name,
    rule: null,
    condition: null,
    method: null,
  } as const;
  if (result?.failed || sub.rules.length === 0) return none;
  const { interactive } = state;
  const { judged, output } = result ?? { judged: {}, output: '' };
  const match = matchAgent({ rules: sub.rules, interactive, output, judged, read: readVariables(state, sub.name) });
  if (match.kind === 'judge') return judgeEffect(state, current, sub.name, match, output);
  if (match.kind === 'none') return none;
  return { ...none, rule: match.rule.index, condition: match.rule.text, method: match.method };
}

function decideAction(piece: Piece, state: RunState, movement: ActionMovement, current: CurrentMovement): Decision {
  if (!current.action) {
    const id = effectId(state, current, null, 'action');
    return { kind: 'effects', effects: [{ kind: 'action', id, movement: movement.name, action: movement.action }] };
  }
  const { outcome, message } = current.action;
  const when = whenRule(movement.rules, state.interactive, readVariables(state, null));
  if (when) return leave(piece, state, movement, when, 'when', when.next);
  const rule = wordRule(movement.rules, state.interactive, outcome);
  if (!rule) return fail(piece, state, movement, 'action_failed', message || `The action ${movement.action} failed.`);
  if (outcome === 'failed' && movement.onFailure !== undefined && rule.next === 'ABORT')
    return fail(piece, state, movement, 'action_failed', message);
  const scoringOff =
    movement.action === 'publish_workplan' && outcome === 'done' && state.scoreStatus === 'NOT_EVALUATED';
  const skip =
    scoringOff && piece.movements.some((other) => other.kind === 'action' && other.action === 'compute_score');
  return leave(piece, state, movement, rule, 'action', skip ? 'COMPLETE' : rule.next);
}

function conclude(
  piece: Piece,
  state: RunState,
  movement: Movement,
  match: Exclude<Match, { kind: 'judge' }>,
  output: string,
): Decision {
  if (match.kind === 'none') {
    const full = fullMonitor(piece, state.history, null);
    if (full) return startLoopJudge(piece, state, full, movement.onFailure ?? '', []);
    return fail(
      piece,
      state,
      movement,
      'no_rule_matched',
      `No rule of "${movement.name}" matched. ${said(state, movement, output)}`,
    );
  }
  const { rule, method } = match;
  if (rule.requiresUserInput) return ask(piece, state, movement, { rule, method, output });
  return leave(piece, state, movement, rule, method, rule.next);
}

/** What a movement had to decide by: its output, or where no agent ran the variables. */
function said(state: RunState, movement: Movement, output: string): string {
  if (movement.kind !== 'agent' || !runsNoAgent(movement)) return `The output: ${summarise(output)}`;
  const read = readVariables(state, null);
  const names = new Set(
    movement.rules.flatMap(({ condition }) => (condition.kind === 'when' ? readNames(condition.expression) : [])),
  );
  return `Its variables: ${[...names].map((name) => `${name} = ${JSON.stringify(read(name))}`).join(', ')}.`.slice(
    0,
    400,
  );
}

/** Records the rule; a full loop monitor gets the word before `next` is entered (spec 1: Loop monitors). */
function leave(
  piece: Piece,
  state: RunState,
  movement: Movement,
  rule: Rule,
  method: MatchMethod,
  next: string,
): Decision {
  const completed: RunEventBody = {
    type: 'movement_completed',
    movement: movement.name,
    rule: rule.index,
    condition: rule.text,
    method,
    next,
  };
  return goOn(piece, state, next, [completed]);
}

function goOn(piece: Piece, state: RunState, next: string, completed: RunEventBody[]): Decision {
  const full = fullMonitor(piece, state.history, next);
  return full ? startLoopJudge(piece, state, full, next, completed) : { kind: 'record', events: completed };
}

function startLoopJudge(
  piece: Piece,
  state: RunState,
  full: { monitor: number; cycleCount: number },
  ownNext: string,
  before: RunEventBody[],
): Decision {
  if (state.iteration >= piece.maxIterations)
    return { kind: 'record', events: [...before, ...maxIterations(piece, state)] };
  return {
    kind: 'record',
    events: [...before, { type: 'loop_started', ...full, iteration: state.iteration + 1, ownNext }],
  };
}

/** A rule with `requires_user_input`: pause with the questions, if people can answer (spec 1: People). */
function ask(
  piece: Piece,
  state: RunState,
  movement: Movement,
  matched: { rule: Rule; method: MatchMethod; output: string },
): Decision {
  // Not a failure of the movement: `on_failure` has no say here.
  if (!state.interactive)
    return abort(
      state,
      'user_input_required',
      `User input required: "${movement.name}" needs an answer, and nobody can be asked in this run.`,
    );
  if (state.iteration >= piece.maxIterations) return { kind: 'record', events: maxIterations(piece, state) };
  const results = state.current === null ? [] : resultsOf(state.current);
  const questions = newQuestions(state, movement, matched.output, results);
  if (questions.length === 0) return askNothingNew(movement, matched.rule, matched.method);
  return {
    kind: 'record',
    events: [
      {
        type: 'paused',
        pauseId: nextPauseId(state),
        kind: 'question',
        movement: movement.name,
        questions,
        missing: [],
      },
    ],
  };
}

/** What an earlier question asked is never asked again (spec 2): the movement runs again and finds the answers, bounded by D4. */
function askNothingNew(movement: Movement, rule: Rule, method: MatchMethod): Decision {
  const message = 'Every proposed question was asked before; the movement runs again with what is known.';
  return {
    kind: 'record',
    events: [
      { type: 'warning', code: 'questions_repeated', message, movement: movement.name },
      {
        type: 'movement_completed',
        movement: movement.name,
        rule: rule.index,
        condition: rule.text,
        method,
        next: movement.name,
      },
    ],
  };
}
