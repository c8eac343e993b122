import { CompiledQuery, type Dialect, Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PermanentFailure } from '../../ports/failures.ts';
import { isRepeatable, translateError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { findPending, migrateToLatest, type RunScript } from './migrations.ts';
import { namedPool, statementName } from './named-pool.ts';

/** Sends one statement. Every operation of the stores is one, so that it is atomic on a pool and on PGlite's single session alike. */
export interface Executor {
  /**
   * Rows of a fixed statement. bigint comes as number, timestamptz as ISO 8601 UTC.
   * @throws TransientFailure `store_unavailable`; StatementRefused when the server undid it.
   */
  execute<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Executor {
  readonly kind: 'pg' | 'pglite';
  /** Applies the migrations that are missing; answers their names. */
  migrate(): Promise<string[]>;
  /** Migrations not applied yet: empty means that the stores can work (readiness). */
  pendingMigrations(): Promise<string[]>;
  close(): Promise<void>;
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/**
 * A PostgreSQL database (15 or newer) behind a pool. It connects when it is first used. Statements are prepared and settings made once a
 * connection, so a pooler in between must keep sessions (PgBouncer: `pool_mode = session`).
 * @throws PermanentFailure `database_url_invalid`
 */
export async function openPostgres(options: {
  url: string;
  /** Connections, default 10. */
  poolSize?: number;
  applicationName?: string;
}): Promise<Database> {
  if (!URL.canParse(options.url) || !/^postgres(ql)?:$/.test(new URL(options.url).protocol)) {
    throw new PermanentFailure(
      'database_url_invalid',
      'The database address must read postgresql://USER:PASSWORD@HOST:PORT/NAME',
    );
  }
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    application_name: options.applicationName ?? 'planwright',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // A connection may be lost at any time, in the pool or out of it: the statement that needs it says so to somebody who can act, and an
  // event without a listener would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.query(SESSION).catch(() => undefined);
  });
  return createDatabase('pg', new PostgresDialect({ pool: namedPool(pool) }), null, async () => undefined);
}

/**
 * Every statement addresses its rows by key, and a prepared one keeps the plan it got while the tables were small: without these a
 * plan that reads whole tables would stay until the next ANALYZE. Planning the largest statement takes longer than a batch of it, so it is
 * planned once a connection, not five times; bitmaps lose the order that an index gives. Compiling (JIT) takes longer than any statement here.
 */
const SESSION =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_bitmapscan = off; set jit = off; ' +
  'set plan_cache_mode = force_generic_plan; ' +
  "set time zone 'UTC'; set datestyle = 'ISO, YMD'";

/**
 * The embedded database: one process, one session. `dataDir` is a folder, kept behind a lock file; `memory` (default) keeps nothing.
 * @throws PermanentFailure `database_in_use`
 */
export async function openPglite(
  options: { dataDir?: string; makeFolder?: (folder: string) => Promise<void> } = {},
): Promise<Database> {
  // Loaded when wanted: it is large, and production has no use for it.
  const { PGlite } = await import('@electric-sql/pglite');
  const folder = options.dataDir === undefined || options.dataDir === 'memory' ? null : options.dataDir;
  const unlock = folder === null ? async () => undefined : await lockFolder(folder, options.makeFolder);
  try {
    const parsers = { [INT8]: Number, [TIMESTAMPTZ]: toIso };
    const pglite = await PGlite.create({ parsers, ...(folder === null ? {} : { dataDir: folder }) });
    const runScript = async (text: string) => {
      try {
        await pglite.exec(text);
      } catch (error) {
        // The one session would stay in the script's failed transaction.
        await pglite.exec('rollback');
        throw error;
      }
    };
    return createDatabase('pglite', new PGliteDialect({ pglite }), runScript, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

function createDatabase(
  kind: Database['kind'],
  dialect: Dialect,
  runScript: RunScript,
  afterClose: () => Promise<void>,
): Database {
  const db = new Kysely<unknown>({ dialect });
  let closing: Promise<void> | undefined;
  return {
    kind,
    execute: (text, parameters = []) => execute(db, text, parameters),
    migrate: () => migrateToLatest(db, runScript).catch(rethrow('the migrations')),
    pendingMigrations: () => findPending(db, runScript).catch(rethrow('the list of migrations')),
    close: () => {
      closing ??= db.destroy().finally(afterClose);
      return closing;
    },
  };
}

async function execute<Row>(db: Kysely<unknown>, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
      return rows;
    } catch (error) {
      if (isRepeatable(error) && attempt < 4) continue;
      throw translateError(error, statementName(text) ?? 'a statement');
    }
  }
}

function rethrow(what: string): (error: unknown) => never {
  return (error) => {
    throw translateError(error, what);
  };
}

function toIso(value: string): string {
  return new Date(value).toISOString();
}

function typeParser(id: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary' && id === INT8) return Number;
  if (format !== 'binary' && id === TIMESTAMPTZ) return toIso;
  return pg.types.getTypeParser(id, format);
}
