import pg from 'pg';

export type Database = Pick<pg.Pool, 'query' | 'end'>;

export function openDatabase(url: string): Database {
  return new pg.Pool({ connectionString: url, max: 10, statement_timeout: 15_000 });
}
