import type { SQLOutputValue } from 'node:sqlite';
import type { PathKind } from '../path-kind.ts';
import { readPostings } from '../postings.ts';
import { createPathIndex } from './mentions.ts';
import type { RankIndex } from './rank.ts';

type Query = (sql: string, ...values: (string | number)[]) => Record<string, SQLOutputValue>[];

/** The ranking's view of a snapshot's database; paths and lengths are kept in memory from then on. */
export function createRankIndex(query: Query): RankIndex {
  const rows = query('select id, path, words, kind from files order by id');
  const paths: string[] = [''];
  const kinds: PathKind[] = ['data'];
  const words = new Float64Array(rows.length + 1);
  let sum = 0;
  let filled = 0;
  for (const row of rows) {
    const id = Number(row['id']);
    paths[id] = String(row['path']);
    words[id] = Number(row['words']);
    // Written by the builder alone.
    kinds[id] = String(row['kind']) as PathKind;
    sum += words[id] ?? 0;
    if ((words[id] ?? 0) > 0) filled += 1;
  }
  return {
    paths,
    words,
    averageWords: Math.max(1, sum / Math.max(1, filled)),
    pathIndex: createPathIndex(paths),
    kinds,
    filesWith(terms) {
      const files = new Map<string, number>();
      for (const term of terms) {
        const [row] = query('select sum(files) as files from terms where term = ?', term);
        if (row?.['files']) files.set(term, Number(row['files']));
      }
      return files;
    },
    read(term, each) {
      for (const row of query('select data from terms where term = ? order by segment', term)) {
        if (row['data'] instanceof Uint8Array) readPostings(row['data'], each);
      }
    },
    text(file) {
      const [row] = query('select text from files where id = ?', file);
      return typeof row?.['text'] === 'string' ? row['text'] : null;
    },
  };
}
