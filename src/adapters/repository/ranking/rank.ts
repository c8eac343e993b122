/**
 * Which files an issue is about: BM25 over fields (text, definitions, name, folders) with whole identifiers beside their parts, then
 * what the issue names outright, the closest passage of the best files, messages found word by word, the kind of the file.
 */
import type { PathKind } from '../path-kind.ts';
import { IN_DEFINITIONS, IN_FOLDERS, IN_NAME } from '../postings.ts';
import { relatedRoots } from '../stem.ts';
import { WHOLE } from '../words.ts';
import { askedKinds } from './asked-kinds.ts';
import { type Commit, type Past, pastOf } from './commits.ts';
import type { PathIndex } from './mentions.ts';
import { type Passage, readPassage } from './passage.ts';
import type { Question } from './question.ts';
import { WEIGHTS, type Weights } from './weights.ts';

/** What the ranking reads of a snapshot; files by number, from 1. */
export interface RankIndex {
  paths: readonly string[];
  /** Words in each file's text. */
  words: ArrayLike<number>;
  averageWords: number;
  pathIndex: PathIndex;
  /** What kind of file each is, by number. */
  kinds: readonly PathKind[];
  /** In how many files a term is; 0 for none. */
  filesWith(terms: readonly string[]): ReadonlyMap<string, number>;
  /** Calls `each` for every file that has the term. */
  read(term: string, each: (file: number, count: number, flags: number) => void): void;
  text(file: number): string | null;
}

export interface RankedFile {
  file: number;
  path: string;
  score: number;
  why: string[];
  /** The closest passage; null when the text was not looked at or has none of the words. */
  passage: Passage | null;
}

interface Term {
  term: string;
  /** Its weight in the question times its rarity. */
  worth: number;
  written: string;
}

const MAX_TERMS = 120;
const RELATED_MIN_WEIGHT = 0.5;
const REASON_TERMS = 60;

export function rank(
  index: RankIndex,
  question: Question,
  options: { limit: number; candidates: number; commits?: readonly Commit[]; weights?: Weights },
): RankedFile[] {
  const weights = options.weights ?? WEIGHTS;
  const terms = chooseTerms(index, question, weights);
  const scores = byWords(index, terms, weights);
  const named = byMentions(index, question, weights);
  const kinds = askedKinds(question.title, weights.kinds);
  const past = pastOf(options.commits ?? [], question);
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const base = best > 0 ? best : 1;
  const first: { file: number; score: number }[] = [];
  for (let file = 1; file < scores.length; file += 1) {
    const score =
      (scores[file] ?? 0) / base +
      (named.get(file)?.worth ?? 0) +
      pastWorth(past.get(index.paths[file] ?? ''), weights);
    if (score > 0) first.push({ file, score: score * kinds[index.kinds[file] ?? 'data'] });
  }
  first.sort((a, b) => b.score - a.score || a.file - b.file);
  const looked = first.slice(0, Math.max(options.candidates, options.limit));
  const passages = looked.map(({ file }, place) =>
    place < options.candidates ? passageOf(index, file, terms, question) : null,
  );
  const bestPassage = Math.max(1e-9, ...passages.map((passage) => passage?.score ?? 0));
  const bestPhrases = Math.max(3, ...passages.map((passage) => passage?.phrases ?? 0));
  const ranked = looked.map(({ file, score }, place) => {
    const passage = passages[place] ?? null;
    const kind = kinds[index.kinds[file] ?? 'data'];
    const closer = passage
      ? (weights.passage * passage.score) / bestPassage + (weights.phrases * passage.phrases) / bestPhrases
      : 0;
    return { file, score: score + closer * kind, passage };
  });
  ranked.sort((a, b) => b.score - a.score || a.file - b.file);
  // Those further down are shown with their place too, which changes nothing in their order.
  const shown = ranked
    .slice(0, options.limit)
    .map((one) => ({ ...one, passage: one.passage ?? passageOf(index, one.file, terms, question) }));
  const found = foundIn(index, terms, new Set(shown.map(({ file }) => file)));
  return shown.map(({ file, score, passage }) => ({
    file,
    path: index.paths[file] ?? '',
    score,
    why: [
      ...(named.get(file)?.why ?? []),
      ...reasonsOf(found.get(file) ?? [], passage),
      ...pastReason(past.get(index.paths[file] ?? '')),
    ],
    passage,
  }));
}

function pastWorth(past: Past | undefined, weights: Weights): number {
  return past === undefined || past.like === 0 ? 0 : weights.commits * past.like + weights.churn * past.churn;
}

function pastReason(past: Past | undefined): string[] {
  return past === undefined || past.like < 0.3
    ? []
    : [`changed by a like commit: ${past.subject.slice(0, 120).toWellFormed()}`];
}

/** The terms that are somewhere, the most telling of them, with words that stand for them. */
function chooseTerms(index: RankIndex, question: Question, weights: Weights): Term[] {
  const asked = new Map(question.terms);
  const written = new Map(question.written);
  for (const [term, weight] of question.terms) {
    if (term.startsWith(WHOLE) || weight < RELATED_MIN_WEIGHT) continue;
    for (const other of relatedRoots(term)) {
      if (asked.has(other)) continue;
      asked.set(other, weight * weights.related);
      written.set(other, question.written.get(term) ?? other);
    }
  }
  const files = index.filesWith([...asked.keys()]);
  const count = index.paths.length - 1;
  const terms: Term[] = [];
  for (const [term, weight] of asked) {
    const having = files.get(term) ?? 0;
    if (having === 0) continue;
    const idf = Math.log(1 + (count - having + 0.5) / (having + 0.5));
    const whole = term.startsWith(WHOLE) ? weights.whole : 1;
    terms.push({ term, worth: weight * whole * idf ** weights.rarity, written: written.get(term) ?? term });
  }
  return terms.sort((a, b) => b.worth - a.worth || (a.term < b.term ? -1 : 1)).slice(0, MAX_TERMS);
}

function byWords(index: RankIndex, terms: readonly Term[], weights: Weights): Float64Array {
  const scores = new Float64Array(index.paths.length);
  const covered = new Float64Array(index.paths.length);
  const all = terms.reduce((sum, { worth }) => sum + worth, 0);
  for (const { term, worth } of terms) {
    const gain = gainOf(index, term, weights);
    const whole = term.startsWith(WHOLE);
    const definers: number[] = [];
    index.read(term, (file, count, flags) => {
      scores[file] = (scores[file] ?? 0) + worth * gain(file, count, flags);
      if (!whole) covered[file] = (covered[file] ?? 0) + worth;
      if (flags & IN_DEFINITIONS) definers.push(file);
    });
    // A name that one file defines points at it; one that every file defines points nowhere.
    const rare = Math.max(0, 1 - (definers.length - 1) / weights.rareMost) * worth;
    const bonus = rare * (whole ? weights.rareDefinition : weights.rarePart);
    if (bonus > 0) for (const file of definers) scores[file] = (scores[file] ?? 0) + bonus;
  }
  for (let file = 1; file < scores.length; file += 1) {
    scores[file] = (scores[file] ?? 0) * (1 + (weights.coverage * (covered[file] ?? 0)) / Math.max(1e-9, all));
  }
  return scores;
}

/** BM25 of a term in a file, its fields added before they saturate. */
function gainOf(
  index: RankIndex,
  term: string,
  weights: Weights,
): (file: number, count: number, flags: number) => number {
  const whole = term.startsWith(WHOLE);
  const name = whole ? weights.wholeName : weights.name;
  const definitions = whole ? weights.wholeDefinition : weights.definitions;
  const { k1, b, folders } = weights;
  return (file, count, flags) => {
    const length = 1 - b + (b * (index.words[file] ?? 0)) / index.averageWords;
    let often = count / length;
    if (flags & IN_NAME) often += name;
    if (flags & IN_FOLDERS) often += folders;
    if (flags & IN_DEFINITIONS) often += definitions;
    return (often * (k1 + 1)) / (often + k1);
  };
}

function byMentions(
  index: RankIndex,
  question: Question,
  weights: Weights,
): Map<number, { worth: number; why: string[] }> {
  const named = new Map<number, { worth: number; why: string[] }>();
  const worthOf = { path: weights.path, frame: weights.frame, name: weights.dotted };
  const says = { path: 'named', frame: 'in the stack trace', name: 'module named' };
  for (const mention of question.mentions) {
    for (const { file, sure } of index.pathIndex.resolve(mention)) {
      const worth = worthOf[mention.kind] * mention.weight * sure;
      const known = named.get(file);
      const why = `${says[mention.kind]}: ${mention.text.slice(0, 100)}`;
      if (!known) named.set(file, { worth, why: [why] });
      else {
        // Being named twice is not twice as sure.
        known.worth = Math.max(known.worth, worth) + 0.1 * Math.min(known.worth, worth);
        if (known.why.length < 2 && !known.why.includes(why)) known.why.push(why);
      }
    }
  }
  return named;
}

function passageOf(index: RankIndex, file: number, terms: readonly Term[], question: Question): Passage | null {
  const text = index.text(file);
  if (text === null) return null;
  return readPassage(text, new Map(terms.map(({ term, worth }) => [term, worth])), question.phrases);
}

interface Found {
  flags: number;
  count: number;
  written: string;
}

/** Which of the terms each of these files has, the most telling first; the terms are read once for all. */
function foundIn(index: RankIndex, terms: readonly Term[], files: ReadonlySet<number>): Map<number, Found[]> {
  const found = new Map<number, Found[]>();
  for (const { term, written } of terms.slice(0, REASON_TERMS)) {
    index.read(term, (file, count, flags) => {
      if (!files.has(file)) return;
      const known = found.get(file);
      if (known) known.push({ flags, count, written });
      else found.set(file, [{ flags, count, written }]);
    });
  }
  return found;
}

function reasonsOf(found: readonly Found[], passage: Passage | null): string[] {
  const why: string[] = [];
  const add = (label: string, fits: (one: Found) => boolean, most: number): void => {
    const words = [...new Set(found.filter(fits).map(({ written }) => written))].slice(0, most);
    if (words.length > 0) why.push(`${label}: ${words.join(', ')}`);
  };
  add('defines', ({ flags }) => (flags & IN_DEFINITIONS) > 0, 4);
  add('path', ({ flags }) => (flags & (IN_NAME | IN_FOLDERS)) > 0, 4);
  add('text', ({ count }) => count > 0, 6);
  if (passage && passage.phrases > 0) why.push(`wording found near line ${passage.line}`);
  else if (passage && passage.score > 0) why.push(`closest passage at line ${passage.line}`);
  return why;
}
