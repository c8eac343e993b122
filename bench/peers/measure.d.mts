export interface Plan {
  runs: number;
  atOnce: number;
  rounds: number;
  alone: number;
  warmUp: number;
}
export interface Measured {
  name: string;
  runsPerSecond: number;
  rounds: number[];
  p50: number;
  p99: number;
  aloneP50: number;
  aloneP99: number;
  rssMb: number;
}
export function measure(
  contestant: { name: string; run(number: number): Promise<void> },
  plan: Plan,
): Promise<Measured>;
export const OUTPUT: string;
