/** The language of an item's text, guessed without a model: by script, then by frequent words (spec 2: Notes on the item). */

import { withoutPlan } from './description.ts';

export const LANGUAGES = ['en', 'ja', 'zh', 'ko', 'ru', 'de', 'fr', 'es', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Frequent short words that tell Latin-script languages apart. */
const WORDS: Record<'en' | 'de' | 'fr' | 'es' | 'pt', string> = {
  en: 'the and of to is in that for it with on as are this be should when not can which from by an or we our must have has will users',
  de: 'der die das und ist nicht ein eine zu den mit von auf für im dem werden soll wir auch sich wird sind als bei nur oder wenn kann des einen',
  fr: 'le la les et est des une un du dans pour que qui sur avec pas au ce sont doit nous par plus il être ou cette peut aux lorsque',
  es: 'el la los las y es de una un que en para por con no se del al como debe son este esta lo su cuando pero puede más también está usuarios',
  pt: 'o a os as e é de uma um que em para por com não se do da no na ao como deve são este esta seu quando mas pode mais também está você usuários',
};
const WORD_SETS = Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))] as const);

/** The language in which people wrote an item; a plan in its description says nothing of it. */
export function languageOf(item: { title: string; description: string }): Language {
  return detectLanguage(`${item.title}\n${withoutPlan(item.description)}`);
}

/** One of `LANGUAGES`; `en` when nothing speaks for another. Code, links and HTML do not count. Looks at the first 20,000 characters. */
export function detectLanguage(text: string): Language {
  const prose = text
    .slice(0, 20_000)
    .replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, ' ')
    .replace(/`[^`\n]*`|<[^<>\n]*>|https?:\/\/\S+/g, ' ');
  return byScript(prose) ?? byWords(prose);
}

function byScript(prose: string): Language | null {
  const letters = count(prose, /\p{L}/gu);
  const kana = count(prose, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(prose, /\p{Script=Han}/gu);
  const hangul = count(prose, /\p{Script=Hangul}/gu);
  const cyrillic = count(prose, /\p{Script=Cyrillic}/gu);
  // A character of these scripts says about as much as two or three Latin ones.
  if (letters === 0 || Math.max(kana + han, hangul, cyrillic) * 5 < letters) return null;
  if (hangul > kana + han && hangul > cyrillic) return 'ko';
  if (cyrillic > kana + han) return 'ru';
  return kana * 20 >= han ? 'ja' : 'zh';
}

function byWords(prose: string): Language {
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  let best: Language = 'en';
  let most = 0;
  for (const [language, known] of WORD_SETS) {
    const hits = words.filter((word) => known.has(word)).length;
    if (hits > most) {
      most = hits;
      best = language as Language;
    }
  }
  // One or two hits are chance: names and code are full of short words.
  return most >= 3 ? best : 'en';
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
