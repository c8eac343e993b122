import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { PermanentFailure } from '../../ports/failures.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** How a migration's text is run: PGlite hangs in Kysely's migration transactions, and needs its own `exec`. */
export type RunScript = ((text: string) => Promise<unknown>) | null;

/** Applies what is missing, in order; answers the names applied now. Forward only. */
export async function migrateToLatest(db: Kysely<unknown>, runScript: RunScript): Promise<string[]> {
  const { error, results = [] } = await createMigrator(db, runScript).migrateToLatest();
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName;
    // Before any migration ran it is not a migration's fault: the connection's error is passed on.
    if (failed === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new PermanentFailure('migration_failed', `Migration ${failed} failed and was undone: ${reason}`);
  }
  return results.filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

export async function findPending(db: Kysely<unknown>, runScript: RunScript): Promise<string[]> {
  const migrations = await createMigrator(db, runScript).getMigrations();
  return migrations.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

function createMigrator(db: Kysely<unknown>, runScript: RunScript): Migrator {
  return new Migrator({ db, provider: sqlFiles(runScript), disableTransactions: runScript !== null });
}

function sqlFiles(runScript: RunScript): MigrationProvider {
  return {
    async getMigrations() {
      const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
      const migrations: Record<string, Migration> = {};
      for (const name of names) {
        const text = await readFile(`${MIGRATIONS_FOLDER}/${name}`, 'utf8');
        migrations[name.slice(0, -'.sql'.length)] = {
          async up(db) {
            if (runScript === null) await sql.raw(text).execute(db);
            else await runScript(`begin;\n${text}\ncommit;`);
          },
        };
      }
      return migrations;
    },
  };
}
