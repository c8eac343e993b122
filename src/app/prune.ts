/** Retention: what is older than it is deleted in parts, so that nothing waits for long. */
import type { Pruned, RetentionStore } from '../ports/retention.ts';

const AT_ONCE = 500;

/** Deletes all that is older than `ageMs`; answers how much. Stops early when told to. */
export async function pruneAll(
  retention: Pick<RetentionStore, 'prune'>,
  ageMs: number,
  signal?: AbortSignal,
): Promise<Pruned> {
  const total: Pruned = { runs: 0, events: 0, deliveries: 0, actions: 0, outboxFailures: 0, pieceBundles: 0 };
  while (!signal?.aborted) {
    const part = await retention.prune({ ageMs, limit: AT_ONCE });
    for (const key of Object.keys(total) as (keyof Pruned)[]) total[key] += part[key];
    if (Object.values(part).every((count) => count === 0)) break;
  }
  return total;
}
