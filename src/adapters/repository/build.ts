import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';
import {
  type ArchiveFile,
  type ArchiveOther,
  type LeftOut,
  notesOf,
  nothingLeftOut,
  type SnapshotLimits,
} from './archive.ts';
import { type PathKind, pathKind } from './path-kind.ts';
import { createPostings } from './postings.ts';
import { scanSymbols } from './symbols.ts';
import { decodeText, linesOf } from './text.ts';

/** Raised whenever tables or words change: older snapshots on disk are built again. */
export const SNAPSHOT_VERSION = '7';

/** The longest the building keeps the process from its other work, in milliseconds. */
const TURN_MS = 15;
/** What is searched of a long file; all of what is kept can be read. */
const INDEXED_CHARACTERS = 256 * 1024;
/** The same of files that are seldom what is looked for, and of which there are often many. */
const INDEXED_ASIDE = 32 * 1024;
const ASIDE: readonly PathKind[] = ['locale', 'data', 'fixture', 'output', 'vendored', 'changelog'];
/** Longer lines on average are written by machines: what they hold says nothing of where people work. */
const MAX_AVERAGE_LINE = 400;

const SCHEMA = `
  create table meta (key text primary key, value text not null) without rowid;
  create table files (
    id integer primary key, path text not null unique, size integer not null, lines integer not null,
    binary integer not null, words integer not null, kind text not null, text text
  );
  create table others (path text primary key, kind text not null) without rowid;
  create table symbols (
    file integer not null, number integer not null, name text not null, folded text not null, kind text not null,
    start_line integer not null, end_line integer not null, primary key (file, number)
  ) without rowid;
  create table terms (
    term text not null, segment integer not null, files integer not null, data blob not null,
    primary key (term, segment)
  ) without rowid;
`;

export interface BuildInput {
  /** The database's file, or `:memory:`. */
  location: string;
  projectId: number;
  commit: string;
  /** What the repository holds; fills in what of it is left out. */
  entries(leftOut: LeftOut): AsyncIterable<ArchiveFile | ArchiveOther>;
  limits: SnapshotLimits;
  clock: Clock;
  signal: AbortSignal;
}

/** Builds a snapshot's database and gives it open. On a failure it is closed; its file is the caller's to remove. */
export async function buildSnapshot(input: BuildInput): Promise<DatabaseSync> {
  const database = new DatabaseSync(input.location);
  try {
    // A file that was not built to its end is never used: it needs no journal.
    database.exec(
      'pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -32768;',
    );
    database.exec(SCHEMA);
    database.exec('begin');
    await fill(database, input);
    database.exec('commit');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function fill(database: DatabaseSync, input: BuildInput): Promise<void> {
  const addFile = database.prepare('insert into files values (?, ?, ?, ?, ?, ?, ?, ?)');
  const addSymbol = database.prepare('insert into symbols values (?, ?, ?, ?, ?, ?, ?)');
  const addOther = database.prepare('insert or ignore into others (path, kind) values (?, ?)');
  const addTerm = database.prepare('insert into terms values (?, ?, ?, ?)');
  const postings = createPostings((...row) => addTerm.run(...row));
  const leftOut = nothingLeftOut();
  let id = 0;
  let turnStartedAt = input.clock.now().getTime();

  for await (const entry of input.entries(leftOut)) {
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
    const kind = pathKind(path);
    const searched =
      text === null || isWrittenByMachines(kind, text, lines.length)
        ? ''
        : text.slice(0, ASIDE.includes(kind) ? INDEXED_ASIDE : INDEXED_CHARACTERS);
    const symbols = searched === '' ? [] : scanSymbols(path, searched, lines);
    symbols.forEach(({ name, kind, startLine, endLine }, number) => {
      addSymbol.run(id, number, name, name.toLowerCase(), kind, startLine, endLine);
    });
    const names = symbols.filter(({ kind }) => kind !== 'heading').map(({ name }) => name);
    const words = postings.add(id, path, names, searched);
    addFile.run(id, path, size, lines.length, binary ? 1 : 0, words, kind, text);
    if (input.clock.now().getTime() - turnStartedAt > TURN_MS) {
      await nextTurn();
      turnStartedAt = input.clock.now().getTime();
    }
  }

  postings.end();
  const addMeta = database.prepare('insert into meta (key, value) values (?, ?)');
  addMeta.run('version', SNAPSHOT_VERSION);
  addMeta.run('project', String(input.projectId));
  addMeta.run('commit', input.commit);
  addMeta.run('files', String(id));
  addMeta.run('notes', JSON.stringify(notesOf(leftOut, input.limits)));
}

function isWrittenByMachines(kind: PathKind, text: string, lines: number): boolean {
  return kind === 'generated' || text.length / Math.max(1, lines) > MAX_AVERAGE_LINE;
}
