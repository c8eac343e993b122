import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/clock.ts';

/** Random ids: UUID version 4. */
export function createIds(): Ids {
  return { next: () => randomUUID() };
}
