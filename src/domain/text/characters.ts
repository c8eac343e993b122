/** Characters that hide or reorder text, or end a line in one program and not in another (spec 2: Notes on the item). */

/** Everything some program takes for the end of a line. */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Controls but tab and newline, and interlinear annotations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/g;
const SELECTOR = String.raw`[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]`;
const JOINER = String.raw`[\u{200c}\u{200d}]`;
/** Invisible characters; joiners and variation selectors have a second look below. */
const INVISIBLE = new RegExp(`(?!${SELECTOR}|${JOINER})\\p{Default_Ignorable_Code_Point}`, 'gu');
const SELECTORS = new RegExp(`${SELECTOR}+`, 'gu');
const JOINERS = new RegExp(`${JOINER}+`, 'gu');
const PICTURE = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})$/u;
/** Emoji, ideographs, keycaps; no other ASCII, which escaping may change. */
const TAKES_SELECTOR = /^(?:[0-9#*]|(?![\0-\u{7f}])[\p{Extended_Pictographic}\p{Script=Han}\p{Emoji}\p{S}])$/u;
/** Nothing but ASCII that is seen: there is nothing to take out. */
const PLAIN = /^[\t\n -~]*$/;
/** Scripts that are spelled with joiners. */
const JOINING = new RegExp(
  `^[${'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Mongolian'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]$`,
  'u',
);

/**
 * The text with `\n` as its only line end, well-formed, and without controls, bidi marks and invisible characters. Joiners stay
 * inside emoji and inside scripts that are spelled with them, a variation selector stays after what can take one. Idempotent.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SELECTORS, (run: string, at: number, all: string) =>
      TAKES_SELECTOR.test(before(all, at)) ? String.fromCodePoint(run.codePointAt(0) ?? 0) : '',
    )
    .replace(JOINERS, (run: string, at: number, all: string) =>
      run.length === 1 && mayJoin(before(all, at), String.fromCodePoint(all.codePointAt(at + 1) ?? 32)) ? run : '',
    );
}

/** The character that ends at `at`. */
function before(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
}

function mayJoin(left: string, right: string): boolean {
  return (PICTURE.test(left) && PICTURE.test(right)) || (JOINING.test(left) && JOINING.test(right));
}
