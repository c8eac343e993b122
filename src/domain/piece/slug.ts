/** The report folder's name (spec 1: Prompt, `{report_dir}`). */

const SLUG_SOURCE = 30;

/**
 * `{YYYYMMDD-HHmmss}-{slug}`, the time in UTC, the slug from the goal's first 30 characters in any script.
 * `at` is an ISO 8601 time in UTC.
 */
export function reportDirName(at: string, goal: string): string {
  const digits = at.replace(/\D/g, '').padEnd(14, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${slug(goal)}`;
}

function slug(goal: string): string {
  // A character is up to two units long, and marks may be folded away: look at the head alone, goals can be long.
  const head = Array.from(goal.slice(0, 200).toWellFormed().normalize('NFKC').trim()).slice(0, SLUG_SOURCE).join('');
  const words = head.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu);
  return words === null ? 'run' : words.join('-');
}
