/** `fold` of what agents and judges gave. */
import type { EventOf } from './events.ts';
import type { AgentResult, RunState } from './state.ts';

export function failAgent(state: RunState, event: EventOf<'agent_failed'>): void {
  delete state.interrupted[event.effectId];
  countAnswers(state, event.sub ?? event.movement, event.answers ?? 1);
  const failed = { code: event.code, message: event.message };
  setResult(state, event, { output: '', failed, produced: null, judged: {} });
}

export function interruptAgent(state: RunState, event: EventOf<'agent_interrupted'>): void {
  const { effectId, messages, answers, steps } = event;
  state.interrupted[effectId] = { messages, answers, steps };
}

function setResult(state: RunState, event: { movement: string; sub: string | null }, result: AgentResult): void {
  if (state.phase.kind === 'judging') state.phase.loop.result = result;
  else if (state.current?.name === event.movement) state.current.results[event.sub ?? ''] = result;
}

function countAnswers(state: RunState, name: string, answers: number): void {
  state.calls.run += answers;
  state.calls.movement[name] = (state.calls.movement[name] ?? 0) + answers;
}

export function finishAgent(state: RunState, event: EventOf<'agent_finished'>): void {
  delete state.interrupted[event.effectId];
  // An answer whose data went back to the agent counts too: a script holds each of them.
  const answers = event.messages.filter(
    (message) => message.role === 'assistant' && message.toolCalls.length === 0,
  ).length;
  countAnswers(state, event.sub ?? event.movement, Math.max(1, answers));
  const { inputs, output, produced } = event;
  setResult(state, event, { output, failed: null, produced, judged: {}, ...(inputs === undefined ? {} : { inputs }) });
  if (inputs !== undefined) state.inputs[event.sub ?? event.movement] = inputs.properties;
  if (event.session) {
    const kept = event.session.refresh ? [] : (state.sessions[event.session.key] ?? []);
    state.sessions[event.session.key] = kept.concat(event.messages);
  }
  if (!event.produced) return;
  state.data[event.produced.kind] = event.produced.value;
  if (event.sub !== null) state.data[`${event.movement}/${event.sub}`] = event.produced;
}

export function answerJudge(state: RunState, event: EventOf<'judge_answered'>): void {
  const name = event.sub ?? event.movement;
  state.calls.judge += 1;
  state.calls.judges[name] = (state.calls.judges[name] ?? 0) + 1;
  if (state.phase.kind === 'judging') {
    if (state.phase.loop.result) state.phase.loop.result.judged[event.stage] = event.index;
    return;
  }
  const current = state.current;
  if (!current) return;
  const judged = current.results[event.sub ?? '']?.judged ?? (event.sub === null ? current.judged : undefined);
  if (judged) judged[event.stage] = event.index;
}
