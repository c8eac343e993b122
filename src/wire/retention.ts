/** Retention alone, for the command line. */
import { createRetentionStore } from '../adapters/postgres/retention-store.ts';
import type { Config } from '../config.ts';
import type { RetentionStore } from '../ports/retention.ts';
import { openDatabase } from './infrastructure.ts';

export async function openRetention(config: Config): Promise<{ retention: RetentionStore; close(): Promise<void> }> {
  const db = await openDatabase(config, 'memory');
  return { retention: createRetentionStore(db), close: () => db.close() };
}
