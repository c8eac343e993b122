/** Texts of models and files on a terminal: they may hold what would move the cursor, recolour or reorder what is read. */

/** On one line: control characters and line breaks become a space, what turns the reading direction is left out. */
export function plainLine(text: string): string {
  return withoutBidi(text.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Line breaks and tabs stay. */
export function plainText(text: string): string {
  return withoutBidi(text.toWellFormed())
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, ' ');
}

function withoutBidi(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');
}
