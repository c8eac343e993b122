/** Deliveries that were given up, alone, for the command line. */
import { createGivenUpStore } from '../adapters/postgres/given-up-store.ts';
import type { Config } from '../config.ts';
import type { GivenUpStore } from '../ports/given-up.ts';
import { openDatabase } from './infrastructure.ts';

export async function openGivenUp(config: Config): Promise<{ givenUp: GivenUpStore; close(): Promise<void> }> {
  const db = await openDatabase(config, 'memory');
  return { givenUp: createGivenUpStore(db), close: () => db.close() };
}
