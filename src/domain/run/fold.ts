/** `fold(events) → state` (D1). Total: it accepts any log that was once written, and ignores what it does not know. */
import { joinOutputs } from '../piece/parallel.ts';
import type { Workplan } from '../workplan/schema.ts';
import type { Score } from '../workplan/score-schema.ts';
import type { EventOf, RunEvent } from './events.ts';
import { answerJudge, failAgent, finishAgent, interruptAgent } from './fold-agents.ts';
import { pauseForBudget, reachBudget, resumeWithBudget, stopWork } from './fold-budget.ts';
import { foldAnswers, foldCarried, seeAnswers, seeDescription, setAnswers } from './fold-questions.ts';
import type { CurrentMovement, OpenPause, RunState } from './state.ts';
import { LOOP_JUDGE, names, producedKind, resultsOf } from './variables.ts';

/** The state of a run before its first event. */
export function initialState(runId: string): RunState {
  return {
    runId,
    seq: 0,
    startedAt: null,
    updatedAt: null,
    goal: '',
    startedBy: null,
    item: null,
    interactive: false,
    reportDir: '',
    language: 'en',
    commit: null,
    phase: { kind: 'new' },
    current: null,
    iteration: 0,
    movementIteration: names(),
    consecutive: null,
    history: [],
    previousResponse: '',
    userInputs: [],
    pauses: 0,
    assume: false,
    description: null,
    resumedBy: null,
    told: null,
    stalled: null,
    questions: [],
    budget: null,
    worked: { ms: 0, since: null },
    interrupted: names(),
    sessions: names(),
    reports: names(),
    data: names(),
    variables: names(),
    inputs: names(),
    produced: null,
    workplan: null,
    score: null,
    scoreStatus: 'NOT_EVALUATED',
    calls: { run: 0, judge: 0, movement: names(), judges: names() },
  };
}

/** The state after all events of a run, in order of `seq`. */
export function fold(runId: string, events: readonly RunEvent[]): RunState {
  const state = initialState(runId);
  for (const event of events) apply(state, event);
  return state;
}

/** Applies one event. Changes `state` in place: the caller owns it. A terminal event is the last (D5): later ones change nothing. */
export function apply(state: RunState, event: RunEvent): void {
  if (state.phase.kind === 'ended') return;
  state.seq = event.seq;
  state.updatedAt = event.at;
  switch (event.type) {
    case 'run_started':
      Object.assign(state, {
        startedAt: event.at,
        goal: event.goal,
        startedBy: event.startedBy,
        item: event.item,
        interactive: event.interactive,
        reportDir: event.reportDir,
        language: event.language ?? state.language,
        phase: { kind: 'pinning' },
        worked: { ms: 0, since: event.at },
      });
      foldCarried(state, event.carried);
      return;
    case 'pinned':
      state.commit = event.commit;
      state.language = event.language;
      if (event.answers) setAnswers(state, event.answers);
      state.userInputs.push(...(event.inputs ?? []));
      seeDescription(state, event.description);
      state.phase = { kind: 'entering', movement: null };
      return;
    case 'pin_failed':
      state.phase = { kind: 'pin_failed', code: event.code, message: event.message };
      return;
    case 'movement_started':
      startMovement(state, event);
      return;
    case 'agent_finished':
      finishAgent(state, event);
      return;
    case 'agent_interrupted':
      interruptAgent(state, event);
      return;
    case 'conversation_compacted':
      if (event.session !== null && event.messages !== null) state.sessions[event.session] = event.messages;
      return;
    case 'agent_failed':
      failAgent(state, event);
      return;
    case 'judge_answered':
      answerJudge(state, event);
      return;
    case 'action_finished':
      finishAction(state, event);
      return;
    case 'report_written':
      state.reports[event.file] = event.text;
      return;
    case 'sub_completed':
      if (state.current)
        state.current.subs[event.sub] = { rule: event.rule, condition: event.condition, method: event.method };
      return;
    case 'movement_completed':
      // A gate is completed without having been started, by its words or by a `when` rule.
      state.phase = state.current
        ? { kind: 'entering', movement: event.next }
        : { kind: 'entering', movement: event.next, gates: gatesPassed(state) + 1 };
      if (state.current) leaveMovement(state, state.current);
      return;
    case 'loop_started':
      if (state.current) leaveMovement(state, state.current);
      state.iteration = event.iteration;
      state.movementIteration[LOOP_JUDGE] = (state.movementIteration[LOOP_JUDGE] ?? 0) + 1;
      state.phase = {
        kind: 'judging',
        loop: {
          monitor: event.monitor,
          cycleCount: event.cycleCount,
          iteration: event.iteration,
          ownNext: event.ownNext,
          result: null,
        },
      };
      return;
    case 'loop_judged':
      state.history = [];
      state.phase = { kind: 'entering', movement: event.next };
      return;
    case 'paused':
      pause(state, event, event.at);
      return;
    case 'resumed':
      if (state.phase.kind !== 'paused' || state.phase.pause.id !== event.pauseId) return;
      state.worked.since = event.at;
      state.resumedBy = event.by;
      resume(state, state.phase.pause, event);
      return;
    case 'replies_read':
      if (state.phase.kind !== 'collecting') return;
      foldAnswers(state, event);
      state.phase = { ...state.phase, kind: 'collected' };
      return;
    case 'stalled':
      state.stalled = { code: event.code, at: event.at };
      stopWork(state, event.at);
      return;
    case 'stall_ended':
      state.stalled = null;
      state.worked.since = event.at;
      return;
    case 'answers_seen':
      seeAnswers(state, event.questionIds);
      return;
    case 'replies_failed':
      state.phase = { kind: 'replies_failed', code: event.code, message: event.message };
      return;
    case 'ended':
      state.phase = { kind: 'ended', status: event.status, reason: event.reason, message: event.message };
      if (state.scoreStatus === 'EVALUATING') state.scoreStatus = event.status === 'canceled' ? 'CANCELED' : 'FAILED';
      return;
    case 'budget_reached':
      reachBudget(state, event);
      return;
    case 'deadline_passed':
      passDeadline(state, event.what);
      return;
    case 'warning':
      return;
    default:
      event satisfies never;
  }
}

function startMovement(state: RunState, event: EventOf<'movement_started'>): void {
  const { movement, iteration, movementIteration } = event;
  state.iteration = iteration;
  state.movementIteration[movement] = movementIteration;
  const again = state.consecutive?.movement === movement;
  state.consecutive = { movement, count: again ? (state.consecutive?.count ?? 0) + 1 : 1 };
  state.history.push(movement);
  state.current = {
    name: movement,
    iteration,
    order: event.subs,
    results: names(),
    subs: names(),
    judged: {},
    action: null,
  };
  state.phase = { kind: 'running' };
}

/** The movement's own output: of a parallel movement the joined one (spec 1: Which rule wins). */
export function outputOf(current: CurrentMovement): string {
  if (current.order.length === 0) return current.results['']?.output ?? current.action?.message ?? '';
  return joinOutputs(current.order.map((name) => ({ name, output: current.results[name]?.output ?? '' })));
}

/** Gates passed in a row without a movement, and without anybody asked in between. */
export function gatesPassed(state: RunState): number {
  return state.phase.kind === 'entering' ? (state.phase.gates ?? 0) : 0;
}

/** What a movement wrote counts for the run from here on. Where no agent ran and nothing was done, the output before stays. */
function leaveMovement(state: RunState, current: CurrentMovement): void {
  const results = resultsOf(current);
  state.produced = producedKind(state, results);
  for (const { inputs } of results) Object.assign(state.variables, inputs?.variables);
  const silent = current.action === null && Object.keys(current.results).length === 0;
  if (!silent) state.previousResponse = outputOf(current);
  state.current = null;
}

/** The clock of a run stands during a pause, and a pause's own runs only then. What came too late changes nothing. */
function passDeadline(state: RunState, what: EventOf<'deadline_passed'>['what']): void {
  if ((state.phase.kind === 'paused') === (what === 'pause')) state.phase = { kind: 'overdue', what };
}

/** A new plan text clears score and feedback (spec 2: generationStatus). */
function finishAction(state: RunState, event: EventOf<'action_finished'>): void {
  if (state.current) state.current.action = { outcome: event.outcome, message: event.message };
  if (event.outcome !== 'done') return;
  if ('workplan' in event.data) {
    state.workplan = event.data.workplan as Workplan;
    state.score = null;
    state.scoreStatus = event.data.scoring === true ? 'EVALUATING' : 'NOT_EVALUATED';
  }
  if ('score' in event.data) {
    state.score = event.data.score as Score;
    state.scoreStatus = 'EVALUATED';
  }
}

/** The reason of an approval or a rejection is what a person said at a pause (spec 1: People). */
function resume(state: RunState, pause: OpenPause, event: EventOf<'resumed'>): void {
  if (resumeWithBudget(state, event)) return;
  state.phase = { kind: 'collecting', pause, decision: event.decision };
  if (event.decision === 'continue' || event.reason.trim() === '') return;
  const verb = event.decision === 'approve' ? 'Approved' : 'Rejected';
  state.userInputs.push({
    question: `${pause.movement}: approval`,
    answer: `${verb} by ${event.by.username}: ${Array.from(event.reason).slice(0, 9000).join('')}`,
  });
}

function pause(state: RunState, event: EventOf<'paused'>, at: string): void {
  const { pauseId: id, kind, movement, missing } = event;
  const opened: OpenPause = { id, kind, movement, missing, at };
  stopWork(state, at);
  state.pauses += 1;
  if (pauseForBudget(state, opened)) return;
  if (state.current) leaveMovement(state, state.current);
  for (const question of event.questions)
    state.questions.push({ question, pauseId: event.pauseId, state: 'open', answers: [], assumed: false });
  state.phase = { kind: 'paused', pause: opened };
}
