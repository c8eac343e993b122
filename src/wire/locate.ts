import { type LocateAnswer, type LocateOptions, locate } from '../adapters/repository/local.ts';
import { createSystemClock } from '../adapters/system/clock.ts';

export type { LocateAnswer };

/** The research ranking by itself over a local repository. */
export function locateIn(options: Omit<LocateOptions, 'clock'>): Promise<LocateAnswer> {
  return locate({ ...options, clock: createSystemClock() });
}
