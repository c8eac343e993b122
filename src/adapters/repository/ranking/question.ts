/** An issue (or a search) read for what points at files: words by weight, identifiers, paths, stack frames, quoted messages. */
import { stemOf } from '../stem.ts';
import { partsOf, termsOf, WHOLE, wholeOf, wordsOf } from '../words.ts';
import { type Mention, mentionsIn } from './mentions.ts';
import { isCommon, isTemplate } from './plain-words.ts';
import { type Segment, segmentsOf } from './segments.ts';

export interface Question {
  /** Weight of each term; whole identifiers begin with `=`. */
  terms: ReadonlyMap<string, number>;
  /** As it was written, for the terms that people should read in a reason. */
  written: ReadonlyMap<string, string>;
  /** Paths, dotted names and stack frames, in the order of the text. */
  mentions: readonly Mention[];
  /** Neighbouring words of messages and code, by which the place that says them is found. */
  phrases: ReadonlySet<string>;
  /** The words of the title, as they are written. */
  title: string;
}

/** What is read of a long text: its beginning and, for the end of a trace, its end. */
const MAX_TEXT = 40_000;
const MAX_TERMS = 160;
const MAX_PHRASES = 600;

/** What the parts of an issue are worth, and how its words become terms. */
export interface QuestionWeights {
  kinds: Record<Segment['kind'], number>;
  /** A part of an identifier, beside the whole. */
  part: number;
  /** A plain word as the whole name of a definition or file; two neighbours as one name. */
  single: number;
  pair: number;
  /** Words of issue forms. */
  template: number;
  /** How soon a word said often counts no more. */
  saturation: number;
}

export const QUESTION_WEIGHTS: QuestionWeights = {
  kinds: { title: 1.9, prose: 1, code: 0.45, span: 1.8, quote: 1.6, frame: 0.25, facts: 0.12 },
  part: 0.6,
  single: 0.8,
  pair: 0.5,
  template: 0.3,
  saturation: 0.1,
};

/** `text` is the whole; its first line is the title. */
export function readQuestion(text: string, weights: QuestionWeights = QUESTION_WEIGHTS): Question {
  const kept =
    text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT * 0.7)}\n${text.slice(text.length - MAX_TEXT * 0.3)}` : text;
  const segments = segmentsOf(kept.normalize('NFKC'));
  const sums = new Map<string, number>();
  const written = new Map<string, string>();
  const phrases = new Set<string>();
  const add = (term: string, weight: number, word: string): void => {
    sums.set(term, (sums.get(term) ?? 0) + weight);
    const shown = written.get(term);
    if (shown === undefined) written.set(term, word);
  };
  for (const segment of segments) {
    const weight = weights.kinds[segment.kind];
    const words = wordsOf(segment.text);
    for (const word of words)
      addWord(word, weight * plainness(word, weights), namesCode(segment.kind, word), weights, add);
    if (segment.kind === 'title' || segment.kind === 'prose' || segment.kind === 'span')
      addPairs(words, weight * weights.pair, add);
    if (segment.kind !== 'facts' && segment.kind !== 'frame') {
      for (const phrase of phrasesOf(words)) if (phrases.size < MAX_PHRASES) phrases.add(phrase);
    }
  }
  const mentions = mentionsIn(segments);
  return {
    terms: strongest(sums, weights.saturation),
    written,
    mentions,
    phrases,
    title: segments.find(({ kind }) => kind === 'title')?.text ?? '',
  };
}

type Add = (term: string, weight: number, word: string) => void;

function addWord(word: string, weight: number, isCode: boolean, weights: QuestionWeights, add: Add): void {
  if (weight === 0) return;
  const terms = termsOf(word);
  for (const term of terms) {
    // The parts of an identifier say less than the whole.
    add(term, terms.length > 1 && !term.startsWith(WHOLE) ? weight * weights.part : weight, word);
  }
  // A definition or a file may have the word as its whole name.
  if (terms.length === 1 && word.length > 2 && !terms[0]?.startsWith(WHOLE)) {
    add(wholeOf(word), weight * (isCode ? 1 : weights.single), word);
  }
}

/** In code, or with a capital inside of a sentence's word as names of classes have it. */
function namesCode(kind: Segment['kind'], word: string): boolean {
  return kind === 'span' || kind === 'code' || kind === 'frame' || /^[A-Z][a-z]+[A-Z]|_/.test(word);
}

/** `read file` asks for `readFile` too. */
function addPairs(
  words: readonly string[],
  weight: number,
  add: (term: string, weight: number, word: string) => void,
): void {
  for (let index = 0; index + 1 < words.length; index += 1) {
    const first = words[index] ?? '';
    const second = words[index + 1] ?? '';
    if (isCommon(first) || isCommon(second)) continue;
    if (partsOf(first).length > 1 || partsOf(second).length > 1) continue;
    if (!/^[A-Za-z]{2,}$/.test(first) || !/^[A-Za-z0-9]{2,}$/.test(second)) continue;
    add(wholeOf(first + second), weight, `${first} ${second}`);
  }
}

/** How much a word may say: 0 for those of grammar, little for those that every issue has. */
function plainness(word: string, weights: QuestionWeights): number {
  const lower = word.toLowerCase();
  if (isCommon(lower)) return 0;
  if (/^\d+$/.test(word)) return 0.25;
  return isTemplate(lower) ? weights.template : 1;
}

/** Three words in a row, by their roots; grammar words count here. */
export function phrasesOf(words: readonly string[]): string[] {
  const roots = words.map((word) => stemOf(word.toLowerCase()));
  const phrases: string[] = [];
  for (let index = 0; index + 2 < roots.length; index += 1) {
    const three = [words[index] ?? '', words[index + 1] ?? '', words[index + 2] ?? ''];
    if (three.filter((word) => isCommon(word.toLowerCase())).length > 1) continue;
    phrases.push(`${roots[index]} ${roots[index + 1]} ${roots[index + 2]}`);
  }
  return phrases;
}

/** Many mentions are worth more than one, but not as many times more. */
function strongest(sums: ReadonlyMap<string, number>, saturation: number): Map<string, number> {
  const weighed = [...sums].map(([term, sum]) => [term, sum / (1 + saturation * sum)] as const);
  return new Map(weighed.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_TERMS * 3));
}
