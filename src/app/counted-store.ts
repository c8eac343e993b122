/** The store of runs, counting what happened (design: Counters): what the store accepted, wherever it was asked for. */
import type { RunEventBody } from '../domain/run/events.ts';
import type { RunCounters } from '../ports/metrics.ts';
import type { ClaimedRun, GenerationStatus, RunStore } from '../ports/run-store.ts';

export function countRuns(store: RunStore, counters: RunCounters): RunStore {
  function count(events: readonly RunEventBody[], status: GenerationStatus | undefined): void {
    for (const event of events) {
      if (event.type === 'run_started') counters.started();
      else if (event.type === 'paused') counters.paused(event.kind, event.questions.length);
      else if (event.type === 'resumed') counters.resumed();
      else if (event.type === 'replies_read') counters.answered(event.assume ? 0 : event.inputs.length);
      else if (event.type === 'budget_reached') counters.budgetReached(event.scope, event.what);
      else if (event.type === 'ended') counters.ended(status ?? statusOf(event.status), event.reason ?? 'none');
    }
  }

  return {
    ...store,
    async start(input) {
      const outcome = await store.start(input);
      if (outcome.kind === 'started') count(input.events, undefined);
      return outcome;
    },
    async append(input) {
      const outcome = await store.append(input);
      if (outcome.kind === 'stale') return outcome;
      count(input.events, input.row.status);
      for (const { model, cachedTokens = 0, cacheWriteTokens = 0, money = null, ...row } of input.usage) {
        const { inputTokens, outputTokens, estimated } = row;
        const name = model === '' ? 'default' : model;
        counters.used({ model: name, inputTokens, outputTokens, estimated, cachedTokens, cacheWriteTokens, money });
      }
      return outcome;
    },
    async resume(input) {
      const outcome = await store.resume(input);
      if (outcome.kind === 'resumed') count([input.event], undefined);
      return outcome;
    },
    async end(input) {
      const outcome = await store.end(input);
      if (outcome.kind === 'ended') count([input.event], input.status);
      return outcome;
    },
    async claim(input) {
      const claimed = await store.claim(input);
      for (const run of claimed) countPause(run, counters);
      return claimed;
    },
  };
}

/** Told by whoever goes on after the pause, who has both times at hand; once more when that worker dies before its first append. */
function countPause({ events }: ClaimedRun, counters: RunCounters): void {
  const resumed = events.at(-1);
  if (resumed?.type !== 'resumed') return;
  const paused = events.findLast((event) => event.type === 'paused' && event.pauseId === resumed.pauseId);
  if (paused) counters.pauseSeconds((Date.parse(resumed.at) - Date.parse(paused.at)) / 1000);
}

function statusOf(status: 'completed' | 'failed' | 'canceled'): GenerationStatus {
  return status === 'completed' ? 'COMPLETED' : status === 'failed' ? 'FAILED' : 'CANCELED';
}
