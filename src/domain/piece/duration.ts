/** Time limits as they are written in pieces: seconds, or `90s`, `10m`, `1h`. */

/** The longest time a timer can wait for, in whole days. */
const MAX_MS = 24 * 24 * 3_600_000;

/** Milliseconds; null for what is no duration, is zero or longer than 24 days. */
export function parseDuration(value: unknown): number | null {
  if (typeof value === 'number') return within(value * 1000);
  if (typeof value !== 'string') return null;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)\s*([smh]?)$/.exec(value.trim());
  if (match === null) return null;
  const unit = match[2] === 'h' ? 3_600_000 : match[2] === 'm' ? 60_000 : 1000;
  return within(Number(match[1]) * unit);
}

function within(ms: number): number | null {
  const whole = Math.round(ms);
  return Number.isFinite(whole) && whole > 0 && whole <= MAX_MS ? whole : null;
}
