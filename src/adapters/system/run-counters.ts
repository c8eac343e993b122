import { Counter, type Registry } from 'prom-client';
import type { RunCounters } from '../../ports/metrics.ts';

/** Counters of runs (design: HTTP, metrics). */
export function createRunCounters(register: Registry): RunCounters {
  const registers = [register];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name: `planwright_${name}`, help, labelNames, registers });
  const started = counter('runs_started_total', 'Runs started');
  const paused = counter('runs_paused_total', 'Pauses begun, by kind', 'kind');
  const resumed = counter('runs_resumed_total', 'Pauses continued');
  const ended = counter('runs_ended_total', 'Runs ended, by status and reason', 'status', 'reason');
  const asked = counter('questions_asked_total', 'Questions asked');
  const answered = counter('questions_answered_total', 'Questions whose answers were handed on');
  const pauseSeconds = counter('pause_seconds_total', 'Time that runs waited for people');
  const tokens = counter('tokens_total', 'Tokens used, by model and direction', 'model', 'direction', 'estimated');
  return {
    started: () => started.inc(),
    paused(kind, questions) {
      paused.inc({ kind });
      asked.inc(questions);
    },
    resumed: () => resumed.inc(),
    pauseSeconds: (seconds) => pauseSeconds.inc(Math.max(0, seconds)),
    answered: (questions) => answered.inc(questions),
    ended: (status, reason) => ended.inc({ status, reason }),
    tokens({ model, inputTokens, outputTokens, estimated }) {
      tokens.inc({ model, direction: 'input', estimated: String(estimated) }, inputTokens);
      tokens.inc({ model, direction: 'output', estimated: String(estimated) }, outputTokens);
    },
  };
}
