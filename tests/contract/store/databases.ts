import type { Database } from '../../../src/adapters/postgres/connect.ts';
import { openPglite, openPostgres } from '../../../src/adapters/postgres/connect.ts';
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
