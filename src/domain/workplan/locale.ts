/** Fixed texts of notes by language (spec 2: in the language of the item, headings too). */
import { de } from './locales/de.ts';
import { en, type TextKey, type Texts } from './locales/en.ts';
import { es } from './locales/es.ts';
import { fr } from './locales/fr.ts';
import { ja } from './locales/ja.ts';
import { ko } from './locales/ko.ts';
import { pt } from './locales/pt.ts';
import { ru } from './locales/ru.ts';
import { zh } from './locales/zh.ts';

const LOCALES: ReadonlyMap<string, Texts> = new Map<string, Texts>(
  Object.entries({ en, ja, zh, ko, ru, de, fr, es, pt }),
);

/** The text of a key in a language, `{name}` filled in. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Texts for a BCP 47 tag (`ja`, `pt-BR`); languages without texts of their own get English. */
export function sayIn(language: string): Say {
  const texts = LOCALES.get(language.toLowerCase().split(/[-_]/)[0] ?? 'en') ?? en;
  return (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : written,
    );
}
