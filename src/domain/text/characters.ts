/** Characters that hide or reorder text, or end a line in one program and not in another (spec 2: Notes on the item). */

/** Everything some program takes for the end of a line. */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Controls but tab and newline, and interlinear annotations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/g;
/** Invisible characters; joiners and variation selectors have a second look below. */
const INVISIBLE = /(?![\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}/gu;
const SELECTORS = /([^]?)([\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+)/gu;
const JOINERS = /([^]?)([\u200c\u200d]+)(?=([^]?))/gu;
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
const TAKES_SELECTOR = /^[\p{Extended_Pictographic}\p{Script=Han}\p{Emoji}\p{S}]$/u;
/** Scripts that are spelled with joiners. */
const JOINING = new RegExp(
  `^[${[
    'Arabic',
    'Syriac',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Khmer',
    'Myanmar',
    'Mongolian',
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]$`,
  'u',
);

/**
 * The text with `\n` as its only line end, well-formed, and without controls, bidi marks and invisible characters. Joiners stay
 * inside emoji and inside scripts that are spelled with them, a variation selector stays after what can take one. Idempotent.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SELECTORS, (_run, before: string, selectors: string) =>
      TAKES_SELECTOR.test(before) ? before + String.fromCodePoint(selectors.codePointAt(0) ?? 0) : before,
    )
    .replace(JOINERS, (_run, before: string, joiners: string, after: string) =>
      joiners.length === 1 && mayJoin(before, after) ? before + joiners : before,
    );
}

function mayJoin(before: string, after: string): boolean {
  return (PICTURE.test(before) && PICTURE.test(after)) || (JOINING.test(before) && JOINING.test(after));
}
