import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** A server that vanished without a word must not hold a heartbeat for ever. Migrations may take what they need. */
const TIMEOUT_MS = 30_000;

/**
 * pg's pool as Kysely wants it, with one addition: a statement whose text begins with `-- name` is prepared under that name, once a
 * connection (planning each time costs a fifth of the throughput). A client that lost its server is not given back to the pool.
 */
export function namedPool(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, NamedClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const wrapped = known.get(client) ?? new NamedClient(client);
      known.set(client, wrapped);
      // Kysely's overload for cursors is left out: nothing here streams.
      return wrapped as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

class NamedClient {
  readonly #client: PoolClient;
  #broken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  get processID(): number | undefined {
    const id = 'processID' in this.#client ? this.#client.processID : undefined;
    return typeof id === 'number' ? id : undefined;
  }

  async query<R>(text: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    const name = statementName(text);
    const values = [...parameters];
    try {
      // pg knows `query_timeout` for one query, its types do not.
      const query = name === null ? { text, values } : { name, text, values, query_timeout: TIMEOUT_MS };
      const result = await this.#client.query(query);
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      // Only a plain ERROR leaves the connection usable. FATAL is the server's last word, and without a severity it is not the
      // server's answer at all: the state is unknown (a read timeout among them).
      this.#broken ||= !(error instanceof Error && 'severity' in error && error.severity === 'ERROR');
      throw error;
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#broken);
  }
}

/** The name in a statement's first line, `-- name`; null when there is none. */
export function statementName(text: string): string | null {
  return /^-- ([a-z_]+)\n/.exec(text)?.[1] ?? null;
}
