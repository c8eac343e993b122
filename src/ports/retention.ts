/** What is kept, exported and pruned (docs: operating). */
import type { RunEvent } from '../domain/run/events.ts';
import type { DeliveredNote } from './outbox.ts';
import type { RunRow, RunSettings, RunStore, UsageRow } from './run-store.ts';

/** A run with all that the service keeps of it. No secret stands in it: tokens are never stored, the lease's token is left out. */
export interface ExportedRun {
  /** Order of creation. */
  no: number;
  run: Omit<RunRow, 'view'>;
  settings: RunSettings;
  piece: { name: string; hash: string };
  pauses: Awaited<ReturnType<RunStore['pauses']>>;
  events: RunEvent[];
  usage: (UsageRow & { at: string })[];
  notes: DeliveredNote[];
}

export interface ExportFilter {
  /** Changed at or after this, ISO 8601. */
  since: string | null;
  /** An item by its address, its reference (`group/project#1`) or its global id. */
  item: string | null;
}

/** Rows that were, or would be, deleted. */
export interface Pruned {
  runs: number;
  events: number;
  deliveries: number;
  actions: number;
  outboxFailures: number;
  pieceBundles: number;
}

export interface RetentionStore {
  /** Runs in the order of their creation after `afterNo`. */
  exportRuns(filter: ExportFilter, afterNo: number, limit: number): Promise<ExportedRun[]>;
  /**
   * Deletes a part of what is older than `ageMs`, at most `limit` rows of each kind, to be called until it answers zeros: ended runs with all
   * that hangs on them, deliveries that were worked on, actions of no run, notes given up on, bundles of pieces without a run. Never a live
   * run, nor the newest of an item, nor one with notes still to be delivered.
   */
  prune(input: { ageMs: number; limit: number }): Promise<Pruned>;
  /** What `prune` would delete in all. */
  countPrunable(input: { ageMs: number }): Promise<Pruned>;
}
