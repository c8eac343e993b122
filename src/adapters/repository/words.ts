/** How text becomes terms: the same for what is indexed and for what is asked. */
import { stemOf } from './stem.ts';

/** A word of code or prose; longer ones are data. */
const WORD = /[A-Za-z_$\u00c0-\u024f][A-Za-z0-9_$\u00c0-\u024f]*|[0-9]{2,10}|[\u0080-\uffff]+/g;
const PLAIN = /^\p{ASCII}*$/u;
const MAX_WORD = 80;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
/** Scripts written without blanks between words, which are searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const OTHER_WORD = /[\p{L}\p{N}]+/gu;
const BEYOND_ASCII = /\P{ASCII}/u;
/** Of the words seen, as many are remembered with their terms. */
const MEMORY = 50_000;

/** Marks a whole identifier, by which `customerName`, `customer_name` and `customer-name` are one term. */
export const WHOLE = '=';

const known = new Map<string, readonly string[]>();

/** The words of a text in their order. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The terms of one word: the roots of its parts and, of an identifier with several, the whole. */
export function termsOf(word: string): readonly string[] {
  const remembered = known.get(word);
  if (remembered) return remembered;
  const terms = termsOfNew(word);
  if (known.size >= MEMORY) known.clear();
  known.set(word, terms);
  return terms;
}

/** As `termsOf`, without remembering it. */
export function termsOfNew(word: string): string[] {
  return PLAIN.test(word) ? asciiTerms(word) : otherTerms(word);
}

function asciiTerms(word: string): string[] {
  if (word.length > MAX_WORD) return [];
  const parts = partsOf(word);
  const terms = parts.filter((part) => part.length > 1).map(stemOf);
  if (parts.length > 1) terms.push(wholeOf(word));
  return terms;
}

/** Words of other scripts: pairs of characters where words are not divided, else the word itself, without its accents. */
function otherTerms(text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const pairs = unspacedPairs(folded);
  const words = [...folded.replace(UNSPACED, ' ').matchAll(OTHER_WORD)].map(([one]) => one);
  const plain = words.map((one) => one.normalize('NFD').replace(/\p{M}/gu, ''));
  return [...pairs, ...plain.filter((one) => one.length > 1).map(stemOf)];
}

/** `orderTotal` → order, total; `HTMLParser` → html, parser; `foo_bar2` → foo, bar, 2. In lower case. */
export function partsOf(word: string): string[] {
  return (word.match(PART) ?? []).map((part) => part.toLowerCase());
}

/** The term of an identifier as a whole, however its parts are joined. */
export function wholeOf(identifier: string): string {
  return WHOLE + identifier.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** 注文合計 → 注文, 文合, 合計; a single character stays alone. Kana of half width count as the full ones. */
export function unspacedPairs(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return [];
  const pairs: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(UNSPACED)) {
    const characters = [...run];
    if (characters.length === 1) pairs.push(run);
    for (let index = 0; index + 1 < characters.length; index += 1) {
      pairs.push(`${characters[index]}${characters[index + 1]}`);
    }
  }
  return pairs;
}
