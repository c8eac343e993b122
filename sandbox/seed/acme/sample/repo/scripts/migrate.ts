import { readdir, readFile } from 'node:fs/promises';
import { openDatabase } from '../src/store/database.ts';

const folder = new URL('../migrations/', import.meta.url);
const database = openDatabase(process.env['DATABASE_URL'] ?? '');

await database.query('create table if not exists migrations (name text primary key, applied_at timestamptz default now())');
const done = new Set((await database.query('select name from migrations')).rows.map((row) => row.name));

for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
  if (done.has(name)) continue;
  await database.query(await readFile(new URL(name, folder), 'utf8'));
  await database.query('insert into migrations (name) values ($1)', [name]);
  console.log(`applied ${name}`);
}
await database.end();
