/** Growing lists of bytes, very many and mostly short, in one piece of memory: an object a list would cost more than its bytes. */
export interface BytePool {
  /** Bytes used by all lists. */
  readonly used: number;
  /** Appends a number, seven bits a byte, the highest saying that more follow. */
  append(list: number, value: number): void;
  /** The bytes of a list. */
  read(list: number): Uint8Array;
  clear(): void;
}

const FIRST_SLICE = 8;
const LAST_SLICE = 1024;
/** At the end of each slice stands where the next one begins. */
const POINTER = 4;

/** Lists are numbered from 0, without gaps that matter. */
export function createBytePool(): BytePool {
  let bytes = new Uint8Array(1 << 20);
  let used = 0;
  let starts = new Int32Array(1 << 12).fill(-1);
  let writes = new Int32Array(1 << 12);
  let ends = new Int32Array(1 << 12);
  let lengths = new Int32Array(1 << 12);

  function slice(size: number): number {
    while (used + size + POINTER > bytes.length) bytes = grown(bytes, new Uint8Array(bytes.length * 2));
    const start = used;
    used += size + POINTER;
    return start;
  }

  function begin(list: number): void {
    while (list >= starts.length) {
      const size = starts.length * 2;
      const more = new Int32Array(size).fill(-1);
      more.set(starts);
      starts = more;
      writes = grown(writes, new Int32Array(size));
      ends = grown(ends, new Int32Array(size));
      lengths = grown(lengths, new Int32Array(size));
    }
    if (starts[list] !== -1) return;
    const start = slice(FIRST_SLICE);
    starts[list] = start;
    writes[list] = start;
    ends[list] = start + FIRST_SLICE;
    lengths[list] = 0;
  }

  function push(list: number, byte: number): void {
    let at = writes[list] ?? 0;
    const end = ends[list] ?? 0;
    if (at === end) {
      const size = sizeAfter(lengths[list] ?? 0);
      at = slice(size);
      for (let index = 0; index < POINTER; index += 1) bytes[end + index] = (at >>> (8 * index)) & 0xff;
      ends[list] = at + size;
    }
    bytes[at] = byte;
    writes[list] = at + 1;
    lengths[list] = (lengths[list] ?? 0) + 1;
  }

  function append(list: number, value: number): void {
    begin(list);
    let rest = value;
    while (rest > 0x7f) {
      push(list, (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    push(list, rest);
  }

  function read(list: number): Uint8Array {
    const length = list < starts.length && starts[list] !== -1 ? (lengths[list] ?? 0) : 0;
    const whole = new Uint8Array(length);
    let from = starts[list] ?? 0;
    for (let done = 0, size = FIRST_SLICE; done < length; size = sizeAfter(done)) {
      const part = Math.min(size, length - done);
      whole.set(bytes.subarray(from, from + part), done);
      done += part;
      const end = from + size;
      from = 0;
      for (let index = 0; index < POINTER; index += 1) from |= (bytes[end + index] ?? 0) << (8 * index);
    }
    return whole;
  }

  function clear(): void {
    used = 0;
    starts.fill(-1);
  }

  return {
    get used() {
      return used;
    },
    append,
    read,
    clear,
  };
}

/** The size of the slice after so many bytes: each is as long as all before it, up to a limit. */
function sizeAfter(length: number): number {
  return Math.min(LAST_SLICE, length);
}

function grown<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
