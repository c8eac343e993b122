/** The score as a note shows it: its line at the top, and feedback and checks at the end. */
import type { Say } from './locale.ts';
import { code, details, line, list } from './markdown.ts';
import type { Score } from './score-schema.ts';

export interface ScoreShown {
  score: Score | null;
  scoreStatus: 'NOT_EVALUATED' | 'EVALUATING' | 'EVALUATED' | 'FAILED' | 'CANCELED';
}

const MOST_FAILED = 50;
const BAND = { High: ['🟢', 'bandHigh'], Medium: ['🟡', 'bandMedium'], Low: ['🔴', 'bandLow'] } as const;
const CAPPED = { unresolved: 'capUnresolved', resolvable: 'capResolvable', plausible: 'capPlausible' } as const;
const WITHOUT_SCORE = {
  NOT_EVALUATED: 'scoreOff',
  EVALUATING: 'scoreRunning',
  EVALUATED: 'scoreOff',
  FAILED: 'scoreFailed',
  CANCELED: 'scoreCanceled',
} as const;

export function scoreLabel({ score, scoreStatus }: ScoreShown, say: Say): string {
  if (!score) return `${say('readiness')}: ${say(WITHOUT_SCORE[scoreStatus])}`;
  const [icon, band] = BAND[score.band];
  return `${icon} **${say('readiness')} ${score.value}/100 · ${say(band)}**`;
}

/** Nothing without a score; the note's first line says why. */
export function scoreSection({ score }: ScoreShown, say: Say): string[] {
  if (!score) return [];
  const parts = [`### ${say('readiness')}: ${score.value}/100`];
  if (score.cap)
    parts.push(`✋ ${say(CAPPED[score.cap.reason], { n: score.cap.limit, uncapped: score.cap.uncapped })}`);
  if (score.feedback.length > 0) {
    const items = score.feedback.map(({ text, blocking }) =>
      blocking ? `🔴 **${say('blocking')}:** ${line(text)}` : line(text),
    );
    parts.push(`**${say('feedback')}**\n\n${list(items)}`);
  }
  if (score.checks.length > 0) {
    const hold = say('checksHold', { n: score.checks.filter((check) => check.ok).length, total: score.checks.length });
    // The sentences are for whoever writes the plan; a reader gets the names, which are the same in every language.
    const held = [...new Set(score.checks.filter((check) => check.ok).map((check) => code(check.code)))];
    const failed = score.checks.filter((check) => !check.ok);
    const lines = [
      ...(held.length > 0 ? [`✅ ${held.join(', ')}`] : []),
      ...failed.slice(0, MOST_FAILED).map((check) => `❌ ${code(check.code)}: ${line(check.message, 300)}`),
    ];
    if (failed.length > MOST_FAILED) lines.push(say('more', { n: failed.length - MOST_FAILED }));
    parts.push(details(`${say('checks')}: ${hold}`, list(lines)));
  }
  return parts;
}
