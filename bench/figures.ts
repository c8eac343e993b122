/** What a benchmark says: figures with their unit, and the goal of the design where there is one. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** `min`: at least so much is the goal; `max`: at most. */
  goal?: { min: number } | { max: number };
}

export interface Bench {
  /** One sentence: what is measured, and what is not. */
  what: string;
  run(log: (line: string) => void): Promise<Figure[]>;
}

/** True without a goal. */
export function reachesGoal({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return 'min' in goal ? value >= goal.min : value <= goal.max;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
