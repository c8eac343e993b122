/**
 * Which files have which term: of each the count in the text and whether path or definitions have it. Written in segments, so that
 * building needs a bounded memory; files are numbered from 1 in the order they come.
 */
import { termsOf, WHOLE, wholeOf, wordsOf } from './words.ts';

/** Where else than in its text a file has a term. */
export const IN_NAME = 1;
export const IN_FOLDERS = 2;
export const IN_DEFINITIONS = 4;
const FLAG_BITS = 3;
const MAX_COUNT = 255;
/** Numbers held before a segment is written: some 60 MB. */
const SEGMENT_NUMBERS = 6_000_000;

export interface Posting {
  file: number;
  /** Times in the text, at most 255. */
  count: number;
  /** `IN_NAME`, `IN_FOLDERS`, `IN_DEFINITIONS` together. */
  flags: number;
}

/** Takes what one segment holds of a term; `files` is how many have it. */
export type WriteTerm = (term: string, segment: number, files: number, data: Uint8Array) => void;

interface TermList {
  term: string;
  last: number;
  files: number;
  data: number[];
}

/** Collects files one after the other; `end()` writes what is left. */
export function createPostings(write: WriteTerm): {
  /** Adds a file and gives the number of words in its text. */
  add(file: number, path: string, names: readonly string[], text: string): number;
  end(): void;
} {
  const lists: TermList[] = [];
  const numbers = new Map<string, number>();
  const ofWord = new Map<string, readonly number[]>();
  let held = 0;
  let segment = 0;
  let counts = new Uint32Array(1 << 16);
  let flags = new Uint8Array(1 << 16);
  let touched: number[] = [];

  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const number = lists.length;
    // A term is often a piece of the file's text: a copy lets go of the rest.
    lists.push({ term, last: 0, files: 0, data: [] });
    numbers.set(term, number);
    if (number >= counts.length) {
      const more = new Uint32Array(counts.length * 2);
      more.set(counts);
      counts = more;
      const moreFlags = new Uint8Array(flags.length * 2);
      moreFlags.set(flags);
      flags = moreFlags;
    }
    return number;
  }

  function numbersOf(word: string): readonly number[] {
    const known = ofWord.get(word);
    if (known) return known;
    const found = termsOf(word).map(numberOf);
    ofWord.set(word, found);
    return found;
  }

  function count(number: number, flag: number): void {
    if (counts[number] === 0 && flags[number] === 0) touched.push(number);
    if (flag === 0) counts[number] = (counts[number] ?? 0) + 1;
    else flags[number] = (flags[number] ?? 0) | flag;
  }

  function add(file: number, path: string, names: readonly string[], text: string): number {
    const words = wordsOf(text);
    for (const word of words) for (const number of numbersOf(word)) count(number, 0);
    for (const name of names) {
      for (const word of wordsOf(name)) for (const number of numbersOf(word)) count(number, IN_DEFINITIONS);
      count(numberOf(wholeOf(name)), IN_DEFINITIONS);
    }
    for (const { term, flag } of pathTerms(path)) count(numberOf(term), flag);
    for (const number of touched) {
      const list = lists[number];
      if (!list) continue;
      held += append(list, file, counts[number] ?? 0, flags[number] ?? 0);
      counts[number] = 0;
      flags[number] = 0;
    }
    touched = [];
    if (held > SEGMENT_NUMBERS) flush();
    return words.length;
  }

  function flush(): void {
    for (const list of lists) {
      if (list.files === 0) continue;
      write(list.term, segment, list.files, Uint8Array.from(list.data));
      list.data = [];
      list.files = 0;
      list.last = 0;
    }
    ofWord.clear();
    held = 0;
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

function append(list: TermList, file: number, count: number, flags: number): number {
  const before = list.data.length;
  writeNumber(list.data, file - list.last);
  writeNumber(list.data, (Math.min(count, MAX_COUNT) << FLAG_BITS) | flags);
  list.last = file;
  list.files += 1;
  return list.data.length - before;
}

/** Seven bits a byte, the highest says that more follow. */
function writeNumber(data: number[], value: number): void {
  let rest = value;
  while (rest > 0x7f) {
    data.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  data.push(rest);
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
