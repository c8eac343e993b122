import type { Clock } from '../ports/clock.ts';

export interface Remembering<V> {
  /** The answer of `ask`, or the one remembered for as long as `ageOf` says (milliseconds). A failure is not remembered. */
  get(key: string, ageOf: (value: V) => number, ask: () => Promise<V>): Promise<V>;
  /** What is remembered; undefined: nothing, or it is not there yet. */
  peek(key: string): V | undefined;
  forget(key: string): void;
}

interface Entry<V> {
  value: Promise<V>;
  settled: V | undefined;
  until: number;
}

/** A bounded memory of answers with an age each; who asks while an answer is awaited (at most `waitMs`) shares it. */
export function remembering<V>(options: { clock: Clock; max: number; waitMs: number }): Remembering<V> {
  const { clock, max, waitMs } = options;
  const known = new Map<string, Entry<V>>();
  const standing = (key: string): Entry<V> | undefined => {
    const entry = known.get(key);
    return entry && entry.until > clock.now().getTime() ? entry : undefined;
  };
  return {
    get(key, ageOf, ask) {
      const before = standing(key);
      if (before) return before.value;
      const now = clock.now().getTime();
      const entry: Entry<V> = { value: ask(), settled: undefined, until: now + waitMs };
      known.delete(key);
      const oldest = known.size >= max ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      known.set(key, entry);
      entry.value.then(
        (value) => {
          entry.settled = value;
          entry.until = now + ageOf(value);
        },
        () => {
          if (known.get(key) === entry) known.delete(key);
        },
      );
      return entry.value;
    },
    peek: (key) => standing(key)?.settled,
    forget: (key) => void known.delete(key),
  };
}
