/** Bytes of a file → text, when they are text. */

const SNIFFED_BYTES = 8_000;
const KANA = /[\u3041-\u3096\u30a1-\u30fa]/;

/** The text, or null when the bytes are no text. UTF-8, else UTF-16 by its mark, else a Japanese or Western encoding. */
export function decodeText(bytes: Uint8Array): string | null {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return decode(utf16, bytes);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  return (
    decode('utf-8', bytes) ?? japanese('euc-jp', bytes) ?? japanese('shift_jis', bytes) ?? decode('windows-1252', bytes)
  );
}

/** The lines of a text: what follows the last line break counts only when it is not empty. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const split = text.split('\n');
  const lines = text.includes('\r') ? split.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : split;
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The beginning of a file that was cut, up to its last whole line (or whole character of UTF-8). */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a);
  if (end >= 0) return bytes.subarray(0, end + 1);
  let last = bytes.length;
  while (last > 0 && ((bytes[last - 1] ?? 0) & 0xc0) === 0x80) last -= 1;
  return bytes.subarray(0, Math.max(0, last - 1));
}

function utf16Of(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

function decode(encoding: string, bytes: Uint8Array): string | null {
  try {
    // The store takes no NUL and no lone surrogates.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll('\0', '\uFFFD');
  } catch {
    return null;
  }
}

/** Nearly any Western text passes for one of these encodings too: only kana tell that it is Japanese. */
function japanese(encoding: string, bytes: Uint8Array): string | null {
  const text = decode(encoding, bytes);
  return text !== null && KANA.test(text) ? text : null;
}
