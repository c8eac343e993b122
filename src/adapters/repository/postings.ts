/**
 * Which files have which term: of each the count in the text and whether path or definitions have it. Written in segments, so that
 * building needs a bounded memory; files are numbered from 1 in the order they come.
 */
import { createBytePool } from './pool.ts';
import { createWordTable } from './word-table.ts';
import { termsOf, termsOfNew, WHOLE, wholeOf, wordsOf } from './words.ts';

/** Where else than in its text a file has a term. */
export const IN_NAME = 1;
export const IN_FOLDERS = 2;
export const IN_DEFINITIONS = 4;
const FLAG_BITS = 3;
const MAX_COUNT = 255;
/** Bytes held before a segment is written. */
const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Words whose terms are remembered, and terms; beyond it a segment is written and all is forgotten. */
const MAX_WORDS = 1_000_000;

/** Takes what one segment holds of a term; `files` is how many have it. */
export type WriteTerm = (term: string, segment: number, files: number, data: Uint8Array) => void;

/** Collects files one after the other; `end()` writes what is left. */
export function createPostings(write: WriteTerm): {
  /** Adds a file and gives the number of words in its text. */
  add(file: number, path: string, names: readonly string[], text: string): number;
  end(): void;
} {
  const terms: string[] = [];
  const numbers = new Map<string, number>();
  const words = createWordTable((word): readonly number[] => termsOfNew(word).map(numberOf));
  const pool = createBytePool();
  let segment = 0;
  let size = 1 << 16;
  /** By term: the file written last, how many files have it, and of the file at work its count and flags. */
  let last = new Int32Array(size);
  let files = new Int32Array(size);
  let counts = new Uint32Array(size);
  let flags = new Uint8Array(size);
  let touched: number[] = [];

  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const number = terms.length;
    terms.push(term);
    numbers.set(term, number);
    if (number >= size) enlarge();
    return number;
  }

  function enlarge(): void {
    size *= 2;
    last = copied(last, new Int32Array(size));
    files = copied(files, new Int32Array(size));
    counts = copied(counts, new Uint32Array(size));
    flags = copied(flags, new Uint8Array(size));
  }

  function count(number: number, flag: number): void {
    if (counts[number] === 0 && flags[number] === 0) touched.push(number);
    if (flag === 0) counts[number] = (counts[number] ?? 0) + 1;
    else flags[number] = (flags[number] ?? 0) | flag;
  }

  function countAll(found: readonly number[]): void {
    for (const number of found) count(number, 0);
  }

  function add(file: number, path: string, names: readonly string[], text: string): number {
    const length = words.scan(text, countAll);
    for (const name of names) {
      words.scan(name, (found) => {
        for (const number of found) count(number, IN_DEFINITIONS);
      });
      count(numberOf(wholeOf(name)), IN_DEFINITIONS);
    }
    for (const { term, flag } of pathTerms(path)) count(numberOf(term), flag);
    for (const number of touched) {
      pool.append(number, file - (last[number] ?? 0));
      pool.append(number, (Math.min(counts[number] ?? 0, MAX_COUNT) << FLAG_BITS) | (flags[number] ?? 0));
      last[number] = file;
      files[number] = (files[number] ?? 0) + 1;
      counts[number] = 0;
      flags[number] = 0;
    }
    touched = [];
    if (pool.used > SEGMENT_BYTES || terms.length > MAX_WORDS || words.size > MAX_WORDS) flush();
    return length;
  }

  /** In the order of the terms: the table grows at its end alone. */
  function flush(): void {
    for (const term of terms.toSorted()) {
      const number = numbers.get(term) ?? 0;
      write(term, segment, files[number] ?? 0, pool.read(number));
    }
    terms.length = 0;
    numbers.clear();
    words.clear();
    pool.clear();
    last.fill(0);
    files.fill(0);
    segment += 1;
  }

  return { add, end: flush };
}

/** The terms of a path: of the file's name (also as a whole) and of its folders. */
export function pathTerms(path: string): { term: string; flag: number }[] {
  const parts = path.split('/');
  const base = parts.pop() ?? '';
  const stem = base.replace(/(?<=.)\.[^.]*$/, '');
  const named = wordsOf(stem).flatMap((word) => termsOf(word));
  const whole = wholeOf(stem);
  const terms = [...named, ...(whole === WHOLE ? [] : [whole])].map((term) => ({ term, flag: IN_NAME }));
  for (const part of parts) {
    for (const word of wordsOf(part)) for (const term of termsOf(word)) terms.push({ term, flag: IN_FOLDERS });
    if (wholeOf(part) !== WHOLE) terms.push({ term: wholeOf(part), flag: IN_FOLDERS });
  }
  return terms;
}

function copied<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Calls `each` for every file of a term's segment, in rising order. */
export function readPostings(data: Uint8Array, each: (file: number, count: number, flags: number) => void): void {
  let at = 0;
  let file = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = data[at] ?? 0;
      at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < data.length) {
    file += next();
    const packed = next();
    each(file, packed >> FLAG_BITS, packed & ((1 << FLAG_BITS) - 1));
  }
}
