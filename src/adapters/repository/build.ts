import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';
import { archiveFiles, notesOf, nothingLeftOut, type SnapshotLimits } from './archive.ts';
import { scanSymbols } from './symbols.ts';
import { decodeText, linesOf } from './text.ts';
import { extraWords, identifierParts } from './words.ts';

/** Raised whenever tables or words change: older snapshots on disk are built again. */
export const SNAPSHOT_VERSION = '2';

/** The longest the building keeps the process from its other work, in milliseconds. */
const TURN_MS = 15;
/** What is searched of a long file; all of what is kept can be read. */
const INDEXED_CHARACTERS = 256 * 1024;
/** Written by machines: found by their path, not by their words. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]+\.lock|pnpm-lock\.yaml|go\.sum)$|\.(?:min\.(?:js|css)|map|svg)$/;

const SCHEMA = `
  create table meta (key text primary key, value text not null) without rowid;
  create table files (
    id integer primary key, path text not null unique, size integer not null, lines integer not null,
    binary integer not null, text text
  );
  create table others (path text primary key, kind text not null) without rowid;
  create table symbols (
    file integer not null, name text not null, folded text not null, kind text not null,
    start_line integer not null, end_line integer not null
  );
  create virtual table words using fts5(
    path, symbols, body, extra, content='', tokenize='porter unicode61 remove_diacritics 2'
  );
`;

const INDEXES = `
  create index symbols_folded on symbols (folded);
  create index symbols_file on symbols (file, start_line);
`;

export interface BuildInput {
  /** The database's file, or `:memory:`. */
  location: string;
  projectId: number;
  commit: string;
  archive: AsyncIterable<Uint8Array>;
  limits: SnapshotLimits;
  clock: Clock;
  signal: AbortSignal;
}

/** Builds a snapshot's database and gives it open. On a failure it is closed; its file is the caller's to remove. */
export async function buildSnapshot(input: BuildInput): Promise<DatabaseSync> {
  const database = new DatabaseSync(input.location);
  try {
    // A file that was not built to its end is never used: it needs no journal.
    database.exec('pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory;');
    database.exec(SCHEMA);
    database.exec('begin');
    await fill(database, input);
    database.exec(INDEXES);
    database.exec('commit');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function fill(database: DatabaseSync, input: BuildInput): Promise<void> {
  const addFile = database.prepare('insert into files (id, path, size, lines, binary, text) values (?, ?, ?, ?, ?, ?)');
  const addSymbol = database.prepare('insert into symbols values (?, ?, ?, ?, ?, ?)');
  const addOther = database.prepare('insert or ignore into others (path, kind) values (?, ?)');
  const addWords = database.prepare('insert into words (rowid, path, symbols, body, extra) values (?, ?, ?, ?, ?)');
  const leftOut = nothingLeftOut();
  let id = 0;
  let turnStartedAt = input.clock.now().getTime();

  for await (const entry of archiveFiles(input.archive, input.limits, leftOut)) {
    input.signal.throwIfAborted();
    if (entry.kind !== 'file') {
      addOther.run(entry.path, entry.kind);
      continue;
    }
    const { path, size, bytes } = entry;
    id += 1;
    const text = bytes === null ? null : decodeText(bytes);
    const lines = text === null ? [] : linesOf(text);
    // What was left out for its size is no binary file, though its text cannot be read either.
    const binary = bytes !== null && text === null;
    addFile.run(id, path, size, lines.length, binary ? 1 : 0, text);
    const searched = text === null || GENERATED.test(path) ? '' : text.slice(0, INDEXED_CHARACTERS);
    const symbols = searched === '' ? [] : scanSymbols(path, searched, lines);
    for (const symbol of symbols) {
      const { name, kind, startLine, endLine } = symbol;
      addSymbol.run(id, name, name.toLowerCase(), kind, startLine, endLine);
    }
    const names = symbols.map(({ name }) => `${name} ${identifierParts(name).join(' ')}`).join(' ');
    addWords.run(id, `${path} ${extraWords(path)}`, names, searched, extraWords(searched));
    if (input.clock.now().getTime() - turnStartedAt > TURN_MS) {
      await nextTurn();
      turnStartedAt = input.clock.now().getTime();
    }
  }

  const addMeta = database.prepare('insert into meta (key, value) values (?, ?)');
  addMeta.run('version', SNAPSHOT_VERSION);
  addMeta.run('project', String(input.projectId));
  addMeta.run('commit', input.commit);
  addMeta.run('files', String(id));
  addMeta.run('notes', JSON.stringify(notesOf(leftOut, input.limits)));
}
