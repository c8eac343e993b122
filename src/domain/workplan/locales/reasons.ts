/**
 * What reasons of an end and codes of a refusal mean, for people, by language. A code that is in no table is told by the English sentence
 * that came with it.
 */
import type { Reasons } from './reasons/codes.ts';
import { deReasons } from './reasons/de.ts';
import { esReasons } from './reasons/es.ts';
import { frReasons } from './reasons/fr.ts';
import { jaReasons } from './reasons/ja.ts';
import { koReasons } from './reasons/ko.ts';
import { ptReasons } from './reasons/pt.ts';
import { ruReasons } from './reasons/ru.ts';
import { zhReasons } from './reasons/zh.ts';

/** In English the sentence that came with a code is its text; these come without one. */
const EN: Partial<Reasons> = {
  canceled: 'A person stopped it.',
  item_closed: 'The item is closed.',
  item_moved: 'The item was moved; it can be planned where it is now.',
  pause_expired: 'Nobody continued the run before its pause expired.',
  deadline: 'The time limit of this run was reached.',
  budget: 'The run used up its budget.',
};

const REASONS: ReadonlyMap<string, Partial<Reasons>> = new Map(
  Object.entries({
    en: EN,
    ja: jaReasons,
    de: deReasons,
    fr: frReasons,
    es: esReasons,
    ru: ruReasons,
    zh: zhReasons,
    ko: koReasons,
    pt: ptReasons,
  }),
);

/** Whose English sentence says nothing that the text of the code does not say. */
const WHOLE: ReadonlySet<string> = new Set([
  'canceled',
  'item_closed',
  'item_moved',
  'pause_expired',
  'deadline',
  'budget',
  'project_gone',
  'item_gone',
  'already_running',
  'already_continued',
  'not_running',
  'project_archived',
  'internal',
]);

/**
 * What to show for a code: `text` in the language, and `detail`, the English sentence that came with it where it says more. Both may be
 * empty. In English the sentence itself is the text.
 */
export function reasonText(language: string, code: string, sentence: string): { text: string; detail: string } {
  const tag = language.toLowerCase().split(/[-_]/)[0] ?? 'en';
  const own = tag === 'en' ? undefined : lookUp(tag, code);
  if (own === undefined) return { text: sentence === '' ? (lookUp('en', code) ?? '') : sentence, detail: '' };
  return { text: own, detail: WHOLE.has(code) ? '' : sentence };
}

function lookUp(tag: string, code: string): string | undefined {
  const table = REASONS.get(tag);
  return table && Object.hasOwn(table, code) ? table[code as keyof Reasons] : undefined;
}
