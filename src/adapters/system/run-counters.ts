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
  const tokens = counter(
    'tokens_total',
    'Tokens used, by model and direction; input_cached and input_cache_write are parts of input',
    'model',
    'direction',
    'estimated',
  );
  const money = counter('money_total', "Money spent on models, in the currency of the operator's prices", 'model');
  const unpriced = counter('unpriced_tokens_total', 'Tokens of models whose price is not known', 'model');
  const reached = counter('budgets_reached_total', 'Budgets that were reached, of a run or a day', 'scope', 'what');
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
    used({ model, inputTokens, outputTokens, cachedTokens, cacheWriteTokens, estimated, money: spent }) {
      const count = (direction: string, count: number): void =>
        tokens.inc({ model, direction, estimated: String(estimated) }, count);
      count('input', inputTokens);
      count('output', outputTokens);
      if (cachedTokens > 0) count('input_cached', cachedTokens);
      if (cacheWriteTokens > 0) count('input_cache_write', cacheWriteTokens);
      if (spent === null) unpriced.inc({ model }, inputTokens + outputTokens);
      else if (spent > 0) money.inc({ model }, spent);
    },
    budgetReached: (scope, what) => reached.inc({ scope, what }),
  };
}
