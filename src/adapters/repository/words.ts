/** How text becomes words: the same for what is indexed and for what is asked. */

const WORD = /[A-Za-z][A-Za-z0-9]{2,79}/g;
const HAS_PARTS = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
/** Scripts written without blanks between words, which are searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const BEYOND_ASCII = /\P{ASCII}/u;
/** How often a part counts at most in one file: enough to tell "often" from "once". */
const MAX_REPEATS = 4;
const MAX_TERMS = 24;

const stopWords = new Set(
  (
    'a an and are as at be been but by can could do does for from had has have how i if in into is it its of on or our ' +
    'shall should so than that the their them then there these they this to was we were what when where which who will ' +
    'with would you your'
  ).split(' '),
);

/** `orderTotal` → order, total; `HTMLParser` → html, parser; nothing for a word of one part. */
export function identifierParts(word: string): string[] {
  if (!HAS_PARTS.test(word)) return [];
  const parts = word.match(PART) ?? [];
  return parts.filter((part) => part.length > 1).map((part) => part.toLowerCase());
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

/**
 * What is indexed beside the text itself: parts of identifiers (the index's own tokenizer splits at `_` and `-` but not at case)
 * and the pairs of unspaced scripts.
 */
export function extraWords(text: string): string {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) {
    if (HAS_PARTS.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words: string[] = [];
  for (const [word, count] of counts) {
    const parts = identifierParts(word).join(' ');
    for (let repeat = 0; repeat < Math.min(count, MAX_REPEATS); repeat += 1) words.push(parts);
  }
  return [...words, ...unspacedPairs(text)].join(' ');
}

/** The terms of a query, most telling ones kept when there are too many; '' gives none. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  for (const [run] of query.normalize('NFKC').matchAll(/[\p{L}\p{N}]+/gu)) {
    if (new RegExp(UNSPACED.source, 'u').test(run)) {
      for (const pair of unspacedPairs(run)) terms.add(pair);
      for (const [word] of run.matchAll(/[A-Za-z0-9]{2,}/g)) terms.add(word.toLowerCase());
      continue;
    }
    terms.add(run.toLowerCase());
    for (const part of identifierParts(run)) terms.add(part);
  }
  const telling = [...terms].filter((term) => !stopWords.has(term) && (term.length > 1 || BEYOND_ASCII.test(term)));
  return (telling.length > 0 ? telling : [...terms]).slice(0, MAX_TERMS);
}

/** A word without its commonest English endings, to find in a line what the stemming index found in the file. */
export function rootOf(term: string): string {
  if (term.length < 5 || BEYOND_ASCII.test(term)) return term;
  return term.replace(/(?:ies|ing|ed|es|s|e|y)$/, '');
}
