/** Checks of the limits of a piece or a movement beyond their shape (spec 1: Extensions, `timeout`, `budget`). */
import { type Findings, type Path, report } from './document.ts';
import { parseDuration } from './duration.ts';
import { asMap, type Loose } from './loose.ts';

/** Reports limits of the piece or movement that holds them. */
export function checkLimits(holder: Loose, path: Path, findings: Findings): void {
  checkTimeout(holder, path, findings);
  const { budget } = holder;
  if (typeof budget !== 'object' || budget === null || Array.isArray(budget)) return;
  if (Object.keys(asMap(budget)).length > 0) return;
  const message = '`budget` limits nothing; give `tokens` or `money`';
  report(findings, 'error', 'empty_value', [...path, 'budget'], message, 'key');
}

/** Reports a time limit that is zero or too long; what is no time at all the schema reports. */
function checkTimeout(holder: Loose, path: Path, findings: Findings): void {
  const { timeout } = holder;
  const isTime =
    typeof timeout === 'number'
      ? timeout > 0
      : typeof timeout === 'string' && /^\d[\d.]*\s*[smh]?$/.test(timeout.trim());
  if (isTime && parseDuration(timeout) === null) {
    report(
      findings,
      'error',
      'wrong_value',
      [...path, 'timeout'],
      `\`timeout\` must be more than 0 and at most 24 days, got ${JSON.stringify(timeout)}`,
    );
  }
}
