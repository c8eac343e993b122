/** The languages the rule-based planner writes; every other item gets English. */
export type Language = 'en' | 'ja';

/** Japanese when kana make up a noticeable part of the text, code spans and URLs left out. */
export function languageOf(text: string): Language {
  const prose = text.slice(0, 20_000).replace(/```[\s\S]*?(```|$)|`[^`\n]*`|https?:\/\/\S+/g, ' ');
  const kana = (prose.match(/[\u3041-\u30ff]/g) ?? []).length;
  const latin = (prose.match(/[A-Za-z]/g) ?? []).length;
  return kana >= 4 && kana * 4 >= latin ? 'ja' : 'en';
}
