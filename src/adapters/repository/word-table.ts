/**
 * The words of texts, each known by its place in a table: indexing looks at every character of a repository, and a string object for
 * every word of it would cost more than all the rest. The words are those of `wordsOf` but single letters, which have no terms.
 */
export interface WordTable<T> {
  /** How many words are known. */
  readonly size: number;
  /** Calls `each` with what is known of every word of a text, in their order; gives how many there are. */
  scan(text: string, each: (known: T) => void): number;
  clear(): void;
}

const NOTHING = 0;
const LETTER = 1;
const DIGIT = 2;
const OTHER = 3;
const MAX_DIGITS = 10;
const EMPTY = -1;
const FIRST_SLOTS = 1 << 12;

const ASCII = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  if (/[A-Za-z_$]/.test(String.fromCharCode(code))) ASCII[code] = LETTER;
  else if (/[0-9]/.test(String.fromCharCode(code))) ASCII[code] = DIGIT;
}

/** `learn` is called once for each word (again after `clear`), with a string that holds nothing else alive. */
export function createWordTable<T>(learn: (word: string) => T): WordTable<T> {
  let slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  let hashes = new Int32Array(FIRST_SLOTS / 2);
  let words: string[] = [];
  let known: T[] = [];

  function lookUp(text: string, start: number, end: number, hash: number): T {
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot] ?? EMPTY; entry !== EMPTY; entry = slots[slot] ?? EMPTY) {
      const word = words[entry] ?? '';
      if (hashes[entry] === hash && word.length === end - start && text.startsWith(word, start))
        return known[entry] as T;
      slot = (slot + 1) & mask;
    }
    return add(text.slice(start, end), hash, slot);
  }

  function add(piece: string, hash: number, slot: number): T {
    // A piece of a text would keep the whole of it alive.
    const word = Buffer.from(piece, 'utf16le').toString('utf16le');
    const entry = words.length;
    words.push(word);
    const learned = learn(word);
    known.push(learned);
    hashes[entry] = hash;
    slots[slot] = entry;
    if (words.length >= hashes.length) enlarge();
    return learned;
  }

  function enlarge(): void {
    const more = new Int32Array(hashes.length * 2);
    more.set(hashes);
    hashes = more;
    slots = new Int32Array(slots.length * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (let entry = 0; entry < words.length; entry += 1) {
      const hash = hashes[entry] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
  }

  function scan(text: string, each: (known: T) => void): number {
    const length = text.length;
    let count = 0;
    let at = 0;
    while (at < length) {
      let code = text.charCodeAt(at);
      const kind = kindOf(code);
      if (kind === NOTHING) {
        at += 1;
        continue;
      }
      const start = at;
      let hash = -2_128_831_035;
      do {
        hash = Math.imul(hash ^ code, 16_777_619);
        at += 1;
        code = at < length ? text.charCodeAt(at) : 0;
      } while (goesOn(kind, code, at - start));
      if (at - start < 2 && kind !== OTHER) continue;
      count += 1;
      each(lookUp(text, start, at, hash));
    }
    return count;
  }

  return {
    get size() {
      return words.length;
    },
    scan,
    clear() {
      slots.fill(EMPTY);
      words = [];
      known = [];
    },
  };
}

function kindOf(code: number): number {
  if (code < 128) return ASCII[code] ?? NOTHING;
  return code >= 0xc0 && code <= 0x24f ? LETTER : OTHER;
}

function goesOn(kind: number, code: number, length: number): boolean {
  if (kind === OTHER) return code >= 0x80;
  const next = kindOf(code);
  if (kind === DIGIT) return next === DIGIT && length < MAX_DIGITS;
  return next === LETTER || next === DIGIT;
}
