import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { PermanentFailure } from '../../ports/failures.ts';
import type { RepositoryFile, RepositorySnapshot, SearchHit, SymbolHit } from '../../ports/repository.ts';
import { createCodeReader, symbolOf } from './code.ts';
import { excerptAt } from './excerpt.ts';
import { globMatcher } from './glob.ts';
import { createRankIndex } from './ranking/index-of.ts';
import { readQuestion } from './ranking/question.ts';
import { type RankIndex, rank } from './ranking/rank.ts';
import { linesOf } from './text.ts';

type Row = Record<string, SQLOutputValue>;

/** A snapshot over its database, which it owns: it is closed by `close()` or when nobody holds the snapshot any more. */
export type OpenSnapshot = RepositorySnapshot & { paths(): readonly string[]; close(): void };

/** More than a few words are an issue: they are worth a longer look. */
const LONG_QUESTION = 200;
/** Files whose text is looked at again. */
const CANDIDATES = 24;
const CANDIDATES_OF_ISSUE = 120;
const MAX_GLOBBED = 200_000;

/** Gives the snapshot in a built database. */
export function openSnapshot(database: DatabaseSync): OpenSnapshot {
  const statements = new Map<string, StatementSync>();
  const meta = new Map(query('select key, value from meta').map((row) => [String(row['key']), String(row['value'])]));
  const notes: string[] = JSON.parse(meta.get('notes') ?? '[]');

  function query(sql: string, ...values: (string | number)[]): Row[] {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement.all(...values);
  }

  let opened: RankIndex | null = null;
  function index(): RankIndex {
    opened ??= createRankIndex(query);
    return opened;
  }

  function textOf(path: string): string | null {
    const [row] = query('select text from files where path = ?', path);
    return typeof row?.['text'] === 'string' ? row['text'] : null;
  }

  function list({ under = '', glob, limit }: Parameters<RepositorySnapshot['list']>[0]): {
    files: RepositoryFile[];
    more: boolean;
  } {
    const folder = under.replace(/^(?:\.?\/)+|\/+$/g, '').replace(/^\.$/, '');
    const most = Math.max(0, Math.trunc(limit));
    if (glob === undefined) {
      const rows = listed(folder, most + 1);
      return { files: rows.slice(0, most).map(fileOf), more: rows.length > most };
    }
    const fits = globMatcher(glob);
    if (!fits) throw new PermanentFailure('pattern_invalid', `the glob ${glob} has too many alternatives or stars`);
    const rows = listed(folder, MAX_GLOBBED).filter((row) => fits(String(row['path'])));
    return { files: rows.slice(0, most).map(fileOf), more: rows.length > most };
  }

  function listed(folder: string, limit: number): Row[] {
    const columns = 'select path, size, lines, binary from files';
    return folder === ''
      ? query(`${columns} order by path limit ?`, limit)
      : // All that begins with the folder and a slash; `0` is the character after `/`.
        query(`${columns} where path > ? and path < ? order by path limit ?`, `${folder}/`, `${folder}0`, limit);
  }

  function file(path: string): RepositoryFile | null {
    const [row] = query('select path, size, lines, binary from files where path = ?', path);
    return row ? fileOf(row) : null;
  }

  function otherAt(path: string): ReturnType<RepositorySnapshot['otherAt']> {
    if (file(path)) return null;
    const [row] = query('select kind from others where path = ?', path);
    // Written by the builder alone.
    if (row) return String(row['kind']) as 'link' | 'folder' | 'unlisted';
    const within = 'where path > ? and path < ? limit 1';
    const bounds = [`${path}/`, `${path}0`] as const;
    if (query(`select 1 from files ${within}`, ...bounds).length > 0) return 'folder';
    if (query(`select 1 from others ${within}`, ...bounds).length > 0) return 'folder';
    const parents = path.split('/').slice(0, -1);
    return parents.some((_part, index) => isNoFolder(parents.slice(0, index + 1).join('/'))) ? 'below_file' : null;
  }

  function isNoFolder(path: string): boolean {
    const [row] = query('select kind from others where path = ?', path);
    return file(path) !== null || row?.['kind'] === 'unlisted';
  }

  function read(path: string, startLine: number, endLine: number): ReturnType<RepositorySnapshot['read']> {
    const text = textOf(path);
    if (text === null) return null;
    const lines = linesOf(text);
    const totalLines = lines.length;
    if (totalLines === 0) return { text: '', startLine: 1, endLine: 0, totalLines };
    const start = Math.min(Math.max(1, Math.trunc(startLine)), totalLines);
    const end = Math.min(Math.max(start, Math.trunc(endLine)), totalLines);
    return { text: lines.slice(start - 1, end).join('\n'), startLine: start, endLine: end, totalLines };
  }

  function search(asked: string, limit: number): SearchHit[] {
    const most = Math.trunc(limit);
    if (most < 1) return [];
    const question = readQuestion(asked);
    const candidates = asked.length > LONG_QUESTION ? CANDIDATES_OF_ISSUE : CANDIDATES;
    return rank(index(), question, { limit: most, candidates }).map(({ path, score, why, passage }) => {
      const text = textOf(path) ?? '';
      const line = passage?.line ?? 1;
      return { path, line, excerpt: excerptAt(text, line), score, why };
    });
  }

  function symbols(name: string, limit: number): SymbolHit[] {
    const folded = name.trim().toLowerCase();
    if (folded === '') return [];
    return query(
      `select name, symbols.kind, path, start_line, end_line from symbols join files on files.id = symbols.file
       where instr(folded, ?) > 0
       order by case when name = ? then 0 when folded = ? then 1 when instr(folded, ?) = 1 then 2 else 3 end,
         length(folded), path, start_line limit ?`,
      folded,
      name.trim(),
      folded,
      folded,
      Math.max(0, Math.trunc(limit)),
    ).map(symbolOf);
  }

  return {
    commit: meta.get('commit') ?? '',
    fileCount: Number(meta.get('files') ?? 0),
    notes,
    paths: () => index().paths,
    list,
    file,
    otherAt,
    read,
    search,
    symbols,
    ...createCodeReader(query, index),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function fileOf(row: Row): RepositoryFile {
  return {
    path: String(row['path']),
    size: Number(row['size']),
    lines: Number(row['lines']),
    binary: row['binary'] === 1,
  };
}
