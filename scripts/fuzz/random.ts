/** Pseudo-random numbers from a seed (mulberry32), so that every file of a fuzzing run can be made again. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined && values.length === 0) throw new RangeError('there is nothing to pick from');
      return value as (typeof values)[number];
    },
  };
}
