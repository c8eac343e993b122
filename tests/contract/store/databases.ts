import { test } from 'vitest';
import type { Database } from '../../../src/adapters/postgres/connect.ts';
import { openPglite, openPostgres } from '../../../src/adapters/postgres/connect.ts';
import { createInboxStore } from '../../../src/adapters/postgres/inbox-store.ts';
import { createOutboxStore } from '../../../src/adapters/postgres/outbox-store.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { createTakeoverStore } from '../../../src/adapters/postgres/takeover-store.ts';
import type { InboxStore } from '../../../src/ports/inbox.ts';
import type { OutboxStore } from '../../../src/ports/outbox.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { TakeoverStore } from '../../../src/ports/takeovers.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { createMemoryInbox } from '../../helpers/fakes/inbox-store.ts';
import { createMemoryOutbox } from '../../helpers/fakes/outbox-store.ts';
import { createMemoryRunStore } from '../../helpers/fakes/run-store.ts';
import { createMemoryTakeovers } from '../../helpers/fakes/takeovers.ts';
import { testDatabase } from '../../helpers/servers.ts';

export interface TestStore {
  db: Database;
  close(): Promise<void>;
}

/** The two databases every suite here runs on, migrated and empty; opened once a file, because PGlite takes a second or two. */
export const databases: { name: string; open(): Promise<TestStore> }[] = [
  {
    name: 'PGlite',
    async open() {
      const db = await openPglite();
      await db.migrate();
      return { db, close: () => db.close() };
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const own = await testDatabase();
      const db = await openPostgres({ url: own.url, poolSize: 5 });
      await db.migrate();
      return {
        db,
        close: async () => {
          await db.close();
          await own.drop();
        },
      };
    },
  },
];

/** The stores of one database, or in memory; each call gives another process's. */
export interface OpenedStores {
  runs(): RunStore;
  outbox(): OutboxStore;
  inbox(): InboxStore;
  takeovers(): TakeoverStore;
  /** @throws in memory */
  readonly db: Database;
  /** Takes away what waits. */
  clear(what: 'inbox' | 'outbox'): Promise<void>;
  /** Lets every hold of the outbox lapse. */
  lapse(): Promise<void>;
  close(): Promise<void>;
}

interface StoresKind {
  name: string;
  /** Has a database that a test may look into. */
  database: boolean;
  open(): Promise<OpenedStores>;
}

/** Both databases, and the stores in memory that unit tests use: they are held to the same contract. */
export const stores: StoresKind[] = [
  ...databases.map(({ name, open }) => ({ name, database: true, open: async () => storesOf(await open()) })),
  { name: 'the memory', database: false, open: async () => memoryStores() },
];

/** Tests that look into the database itself, or say how it refuses. */
export function testIf(database: boolean): (name: string, run: () => Promise<void>) => void {
  return (name, run) => {
    if (database) test(name, run);
  };
}

function storesOf({ db, close }: TestStore): OpenedStores {
  return {
    db,
    runs: () => createRunStore(db),
    outbox: () => createOutboxStore(db),
    inbox: () => createInboxStore(db),
    takeovers: () => createTakeoverStore(db),
    clear: async (what) => void (await db.execute(`truncate ${what}`)),
    lapse: async () => void (await db.execute(`update outbox set held_until = now() - interval '1 second'`)),
    close,
  };
}

function memoryStores(): OpenedStores {
  const clock = createFakeClock();
  const runs = createMemoryRunStore(clock);
  const outbox = createMemoryOutbox(runs.data, clock);
  const inbox = createMemoryInbox(runs.data, clock);
  const takeovers = createMemoryTakeovers(runs.data, clock);
  return {
    get db(): Database {
      throw new Error('there is no database');
    },
    runs: () => runs,
    outbox: () => outbox,
    inbox: () => inbox,
    takeovers: () => takeovers,
    clear: async (what) => {
      if (what === 'inbox') inbox.clear();
      else runs.data.outbox = [];
    },
    lapse: async () => clock.advance(3_600_000),
    close: async () => undefined,
  };
}
