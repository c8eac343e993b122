/** Words, stems, similarity and safe quoting. Pure and deterministic. */
import { JA_TERMS, STOP_WORDS } from './lexicon.ts';

/** A rough English stem: enough to bring "invite", "invites" and "invitation" together. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length <= 3) return lower;
  for (const suffix of [
    'ations',
    'ation',
    'ions',
    'ion',
    'ings',
    'ing',
    'edly',
    'ies',
    'ied',
    'ed',
    'es',
    's',
    'y',
    'e',
  ]) {
    if (lower.endsWith(suffix) && lower.length - suffix.length >= 3 && !(suffix === 's' && lower.endsWith('ss'))) {
      const cut = lower.slice(0, -suffix.length);
      return cut.endsWith('e') && cut.length > 4 ? cut.slice(0, -1) : cut;
    }
  }
  return lower;
}

/** Words of a text as a search would take them: identifiers also split at case and underscores, stop words left out, Japanese terms kept. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/[A-Za-z][A-Za-z0-9_]*|[\p{Script=Latin}]{2,}|[一-龠々〆]{2,}|[ァ-ヴー]{2,}/gu)) {
    const token = match[0];
    if (!/^[A-Za-z]/.test(token)) {
      found.push(token.toLowerCase());
      continue;
    }
    const parts = token.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).filter((part) => part.length > 0);
    for (const part of parts) {
      const lower = part.toLowerCase();
      if (lower.length >= 2 && !STOP_WORDS.has(lower)) found.push(lower);
    }
  }
  return found;
}

/** English words that a Japanese text's terms usually have in code. */
export function translated(text: string): string[] {
  if (!/[ぁ-ヿ一-龠]/.test(text)) return [];
  const found: string[] = [];
  for (const [term, english] of JA_TERMS) if (text.includes(term)) found.push(...english);
  return found;
}

/** Stems of a text, Japanese terms translated besides. With repetitions, in order. */
export function stems(text: string): string[] {
  return [...words(text), ...translated(text)].map(stem);
}

export function stemSet(text: string): Set<string> {
  return new Set(stems(text));
}

/** Share of the smaller set that is in the other, 0–1; 0 when either is empty. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : shared(a, b).length / smaller;
}

/** Share of the first set that is in the second, 0–1. */
export function within(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size === 0 ? 0 : shared(a, b).length / a.size;
}

export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((word) => b.has(word));
}

/** Jaccard similarity, 0–1. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = shared(a, b).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

/** 32-bit FNV-1a in base 36: a stable short id, no secret. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36).padStart(6, '0').slice(-6);
}

/** Lower-case words joined by hyphens, letters of any script, at most `max` characters; `item` when nothing is left. */
export function slug(text: string, max = 40): string {
  const joined = text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  if (joined.length <= max) return joined || 'item';
  const cut = joined.slice(0, max).toWellFormed();
  return cut.slice(0, cut.lastIndexOf('-') > max / 2 ? cut.lastIndexOf('-') : max).replace(/-+$/, '') || 'item';
}

/**
 * Words of a person or a file as one safe line: no control, bidi or zero-width characters, no fence, no tag that could be
 * taken for ours; cut at a word to at most `max` characters.
 */
export function quote(text: string, max = 400): string {
  const line = text
    .slice(0, max * 4 + 2000)
    .replace(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/`{3,}|~{3,}/g, "'''")
    .replace(/\[(STEP|JUDGE):(\d+)\]/gi, '($1 $2)')
    .replace(/\s+/g, ' ')
    .toWellFormed()
    .trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > max * 0.6 ? cut.slice(0, space) : cut)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd()}…`;
}

/** A text without its code spans and paths: what it says in words. */
export function prose(text: string): string {
  return text.replace(/`[^`]*`/g, ' ').replace(/(?:[\w.-]+\/)+[\w.-]+/g, ' ');
}
