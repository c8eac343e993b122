import type { SQLOutputValue } from 'node:sqlite';
import type { FindOptions, RepositorySnapshot, SymbolHit } from '../../ports/repository.ts';
import { findLines } from './find.ts';
import { drawMap, importance, type MapSymbol } from './map.ts';
import { readQuestion } from './ranking/question.ts';
import { type RankIndex, rank } from './ranking/rank.ts';
import { referencesIn } from './references.ts';
import { parseSymbols } from './symbols/tree.ts';
import { termsOf, wholeOf, wordsOf } from './words.ts';

type Query = (sql: string, ...values: (string | number)[]) => Record<string, SQLOutputValue>[];

/** Files read from the database together. */
const AT_ONCE = 100;
/** Files that may hold a name, the nearest first. */
const MAX_HOLDERS = 2_000;
const MAP_CANDIDATES = 400;

/** What a snapshot says about code beyond its lists: parsed symbols and uses, lines with a pattern, the map. */
export function createCodeReader(
  query: Query,
  index: () => RankIndex,
): Pick<RepositorySnapshot, 'symbolsOf' | 'references' | 'find' | 'map'> {
  let important: number[] | null = null;

  function symbolsOf(path: string): SymbolHit[] {
    const [row] = query('select text, lines from files where path = ?', path);
    const text = row?.['text'];
    const parsed = typeof text === 'string' ? parseSymbols(path, text, Number(row?.['lines'])) : null;
    if (parsed) return parsed.map((symbol) => ({ ...symbol, path }));
    return query(
      `select name, symbols.kind, path, start_line, end_line from symbols join files on files.id = symbols.file
       where path = ? order by start_line`,
      path,
    ).map(symbolOf);
  }

  async function references(name: string, limit: number): ReturnType<RepositorySnapshot['references']> {
    const wanted = name.trim();
    if (wanted === '' || limit < 1) return { references: [], more: false };
    return referencesIn(holders(wanted), wanted, Math.trunc(limit));
  }

  /** Files with the name in their text: by the index, then by the text itself; those that define it come first. */
  function* holders(name: string): Generator<{ path: string; text: string }> {
    const words = wordsOf(name);
    const wholes = words.flatMap(termsOf).filter((term) => term.startsWith('='));
    const terms = wholes.length > 0 ? wholes : words.flatMap(termsOf);
    const counts = new Map<number, number>();
    for (const term of new Set(terms)) index().read(term, (file) => counts.set(file, (counts.get(file) ?? 0) + 1));
    const needed = new Set(terms).size;
    const defining = new Set<number>();
    index().read(wholeOf(name), (file, _count, flags) => {
      if (flags > 0) defining.add(file);
    });
    const files = [...counts].filter(([, count]) => count === needed).map(([file]) => file);
    files.sort((a, b) => Number(defining.has(b)) - Number(defining.has(a)) || a - b);
    for (const file of files.slice(0, MAX_HOLDERS)) {
      const text = index().text(file);
      if (text?.includes(name)) yield { path: index().paths[file] ?? '', text };
    }
  }

  function find(options: FindOptions): ReturnType<RepositorySnapshot['find']> {
    if (options.pattern === '' || options.limit < 1) return Promise.resolve({ hits: [], more: false });
    return findLines(texts(), options);
  }

  function* texts(): Generator<{ path: string; text: string }> {
    for (let after = ''; ; ) {
      const rows = query('select path, text from files where path > ? order by path limit ?', after, AT_ONCE);
      for (const row of rows) {
        after = String(row['path']);
        if (typeof row['text'] === 'string') yield { path: after, text: row['text'] };
      }
      if (rows.length < AT_ONCE) return;
    }
  }

  function map({ tokens, about }: { tokens: number; about?: string }): { text: string; files: number } {
    const ranked =
      about === undefined || about.trim() === ''
        ? mostImportant()
        : rank(index(), readQuestion(about), { limit: MAP_CANDIDATES, candidates: 60 }).map(({ file }) => file);
    return drawMap(index().paths, ranked, knownSymbols, tokens);
  }

  function mostImportant(): number[] {
    if (important) return important;
    const worth = importance(index().paths, query(`${SYMBOLS} group by symbols.file, symbols.number`).map(mapSymbolOf));
    const rest = index()
      .paths.map((_path, file) => file)
      .slice(1);
    important = rest.sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0) || a - b).slice(0, 5_000);
    return important;
  }

  function knownSymbols(file: number): MapSymbol[] {
    return query(`${SYMBOLS} where symbols.file = ? group by symbols.file, symbols.number`, file).map(mapSymbolOf);
  }

  return { symbolsOf, references, find, map };
}

const SYMBOLS = `
  select symbols.file, symbols.name, symbols.kind, symbols.start_line, coalesce(sum(terms.files), 0) as known
  from symbols left join terms on terms.term = '=' || replace(replace(symbols.folded, '_', ''), '$', '')`;

function mapSymbolOf(row: Record<string, SQLOutputValue>): MapSymbol {
  return {
    file: Number(row['file']),
    name: String(row['name']),
    kind: String(row['kind']),
    startLine: Number(row['start_line']),
    known: Number(row['known']),
  };
}

export function symbolOf(row: Record<string, SQLOutputValue>): SymbolHit {
  return {
    name: String(row['name']),
    // Written by the scanner alone.
    kind: String(row['kind']) as SymbolHit['kind'],
    path: String(row['path']),
    startLine: Number(row['start_line']),
    endLine: Number(row['end_line']),
  };
}
