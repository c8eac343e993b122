import { z } from 'zod';

const MAX_LIMIT = 200;

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
  after: z.string().optional(),
});

export type PageQuery = z.infer<typeof PageQuery>;

export interface Page<T> {
  items: T[];
  /** Give it as `after` to get the next page; null on the last. */
  next: string | null;
}

/** Cuts one item more than asked for off again: it only tells that there is a next page. */
export function toPage<T>(rows: T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
