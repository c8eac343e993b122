/** How long the chaos suite takes: the form of `npm run chaos` and the one that is part of the tests. */
import type { ChaosOptions } from './run.ts';

type Length = Omit<ChaosOptions, 'seed' | 'say' | 'keep'>;

export const LONG: Length = { runs: 2000, atOnce: 32, chaosMs: 3_600_000, restMs: 180_000, spacing: 4 };
export const SHORT: Length = { runs: 40, atOnce: 20, chaosMs: 20_000, restMs: 60_000, spacing: 1 };
