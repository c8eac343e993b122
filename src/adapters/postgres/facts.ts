import type { Database } from './connect.ts';

/** What is to be known of the server: its version, its clock (ISO 8601), whether it is durable, and which migrations it lacks. */
export async function readFacts(
  db: Database,
): Promise<{ version: string; clock: string; fsync: boolean; pending: string[] }> {
  const [row] = await db.execute<{ version: string; clock: string; fsync: string }>(FACTS);
  if (row === undefined) throw new Error('the server answered nothing');
  // Debian says "15.4 (Debian 15.4-1)".
  const version = row.version.split(' ')[0] ?? row.version;
  return { version, clock: row.clock, fsync: row.fsync === 'on', pending: await db.pendingMigrations() };
}

const FACTS = `-- server_facts
select current_setting('server_version') as version, clock_timestamp() as clock, current_setting('fsync') as fsync`;
