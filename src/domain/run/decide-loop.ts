/** `decide` while a loop monitor's judge has the word (spec 1: Loop monitors). */
import { matchAgent } from '../piece/match.ts';
import { summarise } from '../piece/output.ts';
import type { Piece } from '../piece/types.ts';
import { abort, abortEvents, type Decision } from './decision.ts';
import type { RunEventBody } from './events.ts';
import type { LoopJudgement, RunState } from './state.ts';
import { LOOP_JUDGE, readVariables } from './variables.ts';

export function decideLoop(piece: Piece, state: RunState, loop: LoopJudgement): Decision {
  const monitor = piece.loopMonitors[loop.monitor];
  if (!monitor) return abort(state, 'unknown_movement', `The piece has no loop monitor ${loop.monitor}.`);
  const place = `${state.runId}/${loop.iteration}/${LOOP_JUDGE}`;
  const { result } = loop;
  if (!result) {
    const effect = {
      kind: 'agent',
      id: `${place}/loop/1`,
      movement: LOOP_JUDGE,
      sub: null,
      monitor: loop.monitor,
    } as const;
    return { kind: 'effects', effects: [effect] };
  }
  if (result.failed) return undecided(state, loop, `The loop monitor's judge failed: ${result.failed.message}`);
  const { rules } = monitor.judge;
  const { interactive } = state;
  const read = readVariables(state, null);
  const match = matchAgent({ rules, interactive, output: result.output, judged: result.judged, read });
  if (match.kind === 'judge') {
    const { stage, conditions } = match;
    const id = `${place}/${stage}/1`;
    return {
      kind: 'effects',
      effects: [{ kind: 'judge', id, stage, movement: LOOP_JUDGE, sub: null, conditions, output: result.output }],
    };
  }
  if (match.kind === 'none') return undecided(state, loop, "The loop monitor's judge matched no rule.");
  const { rule } = match;
  return {
    kind: 'record',
    events: [{ type: 'loop_judged', monitor: loop.monitor, rule: rule.index, condition: rule.text, next: rule.next }],
  };
}

/**
 * A judge that matches nothing: the own `next`, with a warning. Where no rule of the movement had matched either, the run ends for that
 * reason, with what the movement said.
 */
function undecided(state: RunState, loop: LoopJudgement, message: string): Decision {
  const warning: RunEventBody = { type: 'warning', code: 'loop_judge_undecided', message, movement: null };
  if (loop.ownNext === '') {
    const last = state.history.at(-1) ?? '';
    const reason = `No rule of "${last}" matched. The output: ${summarise(state.previousResponse)}`;
    return { kind: 'record', events: [warning, ...abortEvents(state, 'no_rule_matched', reason)] };
  }
  return {
    kind: 'record',
    events: [warning, { type: 'loop_judged', monitor: loop.monitor, rule: null, condition: null, next: loop.ownNext }],
  };
}
