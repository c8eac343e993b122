/** Where the items' newest runs stand, read from the database now and then; while it is down, as it was last. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/adapters/postgres/connect.ts';

export interface Seen {
  runId: string;
  status: string;
  pauseId: string | null;
  pauseKind: string | null;
}

export interface Observer {
  /** Null: no run yet. */
  at(itemId: number): Seen | null;
  /** Runs by status, of all there are. */
  counts(): Record<string, number>;
  stop(): Promise<void>;
}

const EVERY_MS = 150;

export function observe(db: Database): Observer {
  let newest = new Map<number, Seen>();
  let counts: Record<string, number> = {};
  const stopping = new AbortController();

  async function look(): Promise<void> {
    const rows = await db.execute<Seen & { itemId: number }>(
      `select distinct on (item_global_id) item_global_id as "itemId", id as "runId", status, pause_id as "pauseId", pause_kind as "pauseKind"
      from runs order by item_global_id, no desc`,
    );
    newest = new Map(rows.map((row) => [row.itemId, row]));
    const sums = await db.execute<{ status: string; count: number }>(
      'select status, count(*)::int as count from runs group by status',
    );
    counts = Object.fromEntries(sums.map(({ status, count }) => [status, count]));
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined);
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const ended = run();
  return {
    at: (itemId) => newest.get(itemId) ?? null,
    counts: () => counts,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
