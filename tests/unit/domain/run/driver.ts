import type { Piece } from '../../../../src/domain/piece/types.ts';
import { decide } from '../../../../src/domain/run/decide.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import { EVENT_VERSION, type EventOf, type RunEvent, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, fold } from '../../../../src/domain/run/fold.ts';
import type { OpenPause, ResumeDecision, RunState } from '../../../../src/domain/run/state.ts';
import type { Person } from '../../../../src/domain/workplan/people.ts';

export const RUN = 'r1';
export const alice: Person = { id: 1, username: 'alice', role: 'Developer' };

/** What an effect brings; a function of effect and state alone, so that a restarted run meets the same world. */
export type Perform = (effect: Effect, state: RunState) => RunEventBody[];

/** What a person does at a pause; null: nothing, the run stays paused. */
export type Resume = (pause: OpenPause, state: RunState) => Omit<EventOf<'resumed'>, 'type' | 'pauseId'> | null;

export interface Simulation {
  piece: Piece;
  perform: Perform;
  resume?: Resume;
  /** Which of the open effects ends first. */
  first?: (effects: Effect[], state: RunState) => Effect;
  /** The log so far; left out: a fresh run. */
  log?: RunEvent[];
  interactive?: boolean;
  carried?: EventOf<'run_started'>['carried'];
}

export interface Simulated {
  log: RunEvent[];
  state: RunState;
  /** Lengths of the log at which a crash could leave it: what is recorded together is recorded or not. */
  cuts: number[];
  /** Ids of the effects performed, in order. */
  performed: string[];
}

const MAX_STEPS = 2000;

/** Drives a run until it ends, stays paused, or does not come to an end (then it throws). One effect's outcome is recorded at a time. */
export function simulate(simulation: Simulation): Simulated {
  const { piece, perform } = simulation;
  const log = simulation.log?.slice() ?? [];
  const state = fold(RUN, log);
  const cuts: number[] = [];
  const performed: string[] = [];

  function record(events: RunEventBody[]): void {
    for (const body of events) {
      const event = { ...body, v: EVENT_VERSION, seq: log.length + 1, at: timeOf(log.length + 1) };
      log.push(event);
      apply(state, event);
    }
    cuts.push(log.length);
  }

  if (log.length === 0) record([started(simulation)]);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const decision = decide(piece, state);
    if (decision.kind === 'end') return { log, state, cuts, performed };
    if (decision.kind === 'record') record(decision.events);
    else if (decision.kind === 'effects') {
      const effect = simulation.first?.(decision.effects, state) ?? decision.effects[0];
      if (!effect) throw new Error('no effect is open, and nothing else follows');
      performed.push(effect.id);
      record(effect.kind === 'pin' ? [pinned(effect.id)] : perform(effect, state));
    } else {
      const pause = state.phase.kind === 'paused' ? state.phase.pause : null;
      if (pause?.id !== decision.pauseId) throw new Error(`waits for ${decision.pauseId}, which is not the pause`);
      const resumed = simulation.resume?.(pause, state) ?? null;
      if (!resumed) return { log, state, cuts, performed };
      record([{ type: 'resumed', pauseId: pause.id, ...resumed }]);
    }
  }
  throw new Error(`the run does not end: ${JSON.stringify(log.slice(-5))}`);
}

function timeOf(seq: number): string {
  return new Date(Date.parse('2026-01-05T09:00:00.000Z') + seq * 1000).toISOString();
}

function started(simulation: Simulation): RunEventBody {
  const { interactive = true, carried = [] } = simulation;
  return { type: 'run_started', goal: 'Plan it', startedBy: alice, item: null, interactive, reportDir: 'r', carried };
}

function pinned(effectId: string): RunEventBody {
  return { type: 'pinned', effectId, commit: 'c0ffee', language: 'en' };
}

export type Scripted = string | { output: string; kind?: string; value?: unknown } | { error: string };

export interface Script {
  /** Answers of agents by movement or sub-movement, `loop_judge` among them; the last stays. */
  agents?: Record<string, Scripted[]>;
  /** Answers of judges by what they judge; none left: -1. */
  judges?: Record<string, (number | null)[]>;
  actions?: Record<string, { outcome: 'done' | 'failed'; message?: string; data?: Record<string, unknown> }[]>;
  replies?: (pauseId: string, state: RunState) => Partial<EventOf<'replies_read'>>;
}

/** Performs effects from a script, whose position is read from the state as a real script's is. Unexpected effects throw. */
export function scripted(script: Script): Perform {
  const actionsDone = new Map<string, number>();
  return (effect, state) => {
    const { id: effectId } = effect;
    switch (effect.kind) {
      case 'agent': {
        const { movement, sub } = effect;
        const name = sub ?? movement;
        const answers = script.agents?.[name] ?? [];
        const answer = answers[Math.min(state.calls.movement[name] ?? 0, answers.length - 1)];
        if (answer === undefined) throw new Error(`unexpected call of the agent ${name}`);
        return [agentEvent({ effectId, movement, sub }, answer)];
      }
      case 'judge': {
        const { movement, sub, stage } = effect;
        const index = script.judges?.[sub ?? movement]?.[state.calls.judges[sub ?? movement] ?? 0];
        if (index === undefined) throw new Error(`unexpected judge (${stage}) of ${sub ?? movement}`);
        return [{ type: 'judge_answered', effectId, movement, sub, stage, index }];
      }
      case 'action': {
        const { movement } = effect;
        const count = actionsDone.get(movement) ?? 0;
        const outcome = script.actions?.[movement]?.[count];
        if (!outcome) throw new Error(`unexpected action ${movement}`);
        actionsDone.set(movement, count + 1);
        return [{ type: 'action_finished', effectId, movement, message: '', data: {}, ...outcome }];
      }
      case 'replies':
        return [repliesEvent(effect, state, script.replies?.(effect.pauseId, state))];
      case 'pin':
        throw new Error('the driver pins');
    }
  };
}

function agentEvent(place: { effectId: string; movement: string; sub: string | null }, answer: Scripted): RunEventBody {
  if (typeof answer === 'object' && 'error' in answer)
    return { type: 'agent_failed', ...place, code: answer.error, message: `failed: ${answer.error}` };
  const { output, kind, value } =
    typeof answer === 'string' ? { output: answer, kind: undefined, value: null } : answer;
  return {
    type: 'agent_finished',
    ...place,
    output,
    truncated: false,
    produced: kind === undefined ? null : { kind, value },
    session: null,
    messages: [],
  };
}

function repliesEvent(
  effect: { id: string; pauseId: string },
  state: RunState,
  read: Partial<EventOf<'replies_read'>> = {},
): RunEventBody {
  const answers = state.questions.flatMap((asked) => asked.answers);
  return {
    type: 'replies_read',
    effectId: effect.id,
    pauseId: effect.pauseId,
    answers,
    inputs: [],
    assume: true,
    ...read,
  };
}

/** Continues at every pause. */
export function always(decision: ResumeDecision = 'continue', reason = ''): Resume {
  return () => ({ by: alice, via: 'api', decision, reason });
}

/** The log as `type` or `type detail`, for reading. */
export function storyOf(log: readonly RunEvent[]): string[] {
  return log.flatMap((event) => {
    switch (event.type) {
      case 'movement_started':
        return [`start ${event.movement} ${event.iteration}/${event.movementIteration}`];
      case 'movement_completed':
        return [`complete ${event.movement} #${event.rule} ${event.method} > ${event.next}`];
      case 'sub_completed':
        return [`sub ${event.sub} ${event.condition ?? '-'}`];
      case 'loop_started':
        return [`loop ${event.monitor} x${event.cycleCount} ${event.iteration}`];
      case 'loop_judged':
        return [`loop judged #${event.rule} > ${event.next}`];
      case 'warning':
        return [`warning ${event.code}`];
      case 'paused':
        return [`paused ${event.kind} ${event.questions.map((question) => question.id).join(',')}`.trim()];
      case 'ended':
        return [event.reason === null ? event.status : `${event.status} ${event.reason}`];
      default:
        return [];
    }
  });
}

export function endOf(log: readonly RunEvent[]): EventOf<'ended'> {
  const last = log.at(-1);
  if (last?.type !== 'ended') throw new Error(`the log does not end: ${last?.type}`);
  return last;
}
