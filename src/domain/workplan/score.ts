/** The readiness score's arithmetic (spec 2: Workplan and score). Numbers come from evaluators, the sum from here. */
import type { Coverage, Defect, Examination, Feedback, Rubric, Score, ScoreCap, ScoreCheck } from './score-schema.ts';

export interface ScoreInput {
  rubric: Rubric | null;
  coverage: Coverage | null;
  falsifier: Defect | null;
  examinations: Examination[];
  checks: ScoreCheck[];
  /** Ids of the plan's requirements and units: what the evaluators say of others counts nothing. */
  knownRequirements: string[];
  knownUnits: string[];
}

export type ScoreResult = { ok: true; score: Score } | { ok: false; missing: string[] };

/** The delta at which an examined value weighs half. */
const HALF_WEIGHT_DELTA = 15;
const CAPS: Readonly<Record<ScoreCap['reason'], number>> = { unresolved: 20, resolvable: 50, plausible: 55 };
const MAX_FEEDBACK = 3;

/** The score, or the evaluators that are missing for it. */
export function computeScore(input: ScoreInput): ScoreResult {
  const { rubric, coverage, falsifier } = input;
  if (!rubric || !coverage || !falsifier) {
    const missing = [!rubric && 'rubric', !coverage && 'coverage', !falsifier && 'falsifier'];
    return { ok: false, missing: missing.filter((name) => name !== false) };
  }
  const total = rubric.coverage + rubric.groundedness + rubric.specificity + rubric.feasibility + rubric.completeness;
  const mean = weightedMean([
    examined(total, examinationOf(input.examinations, 'rubric')),
    examined(
      coverageScore(coverage, input.knownRequirements, input.knownUnits),
      examinationOf(input.examinations, 'coverage'),
    ),
  ]);
  const defect = standingDefect(falsifier, examinationOf(input.examinations, 'falsifier'));
  const uncapped = Math.max(0, Math.min(100, Math.round(mean)));
  const limit = defect === null ? 100 : CAPS[defect];
  const value = Math.min(limit, uncapped);
  const score: Score = {
    value,
    band: scoreBand(value),
    feedback: chooseFeedback(
      [defect === null ? [] : defectFeedback(falsifier), rubric.feedback, coverage.feedback].flat(),
    ),
    checks: input.checks,
    ...(defect !== null && uncapped > limit ? { cap: { limit, reason: defect, uncapped } } : {}),
  };
  return { ok: true, score };
}

/** 80 and more High, 40–79 Medium, less Low. */
export function scoreBand(value: number): Score['band'] {
  if (value >= 80) return 'High';
  return value >= 40 ? 'Medium' : 'Low';
}

/**
 * round(100·F1): recall over the known requirements, precision over the known units. What was not answered counts as not covered
 * or not traced; of contradicting entries the worse one counts.
 */
export function coverageScore(coverage: Coverage, knownRequirements: string[], knownUnits: string[]): number {
  const recall = share(
    knownRequirements,
    coverage.requirements.map(({ id, covered }) => ({ id, yes: covered })),
  );
  const precision = share(
    knownUnits,
    coverage.units.map(({ id, traced }) => ({ id, yes: traced })),
  );
  return recall + precision === 0 ? 0 : Math.round((100 * 2 * recall * precision) / (recall + precision));
}

function share(known: string[], entries: { id: string; yes: boolean }[]): number {
  const ids = new Set(known);
  if (ids.size === 0) return 0;
  const no = new Set(entries.filter((entry) => !entry.yes).map((entry) => entry.id));
  const yes = new Set(
    entries.filter((entry) => entry.yes && ids.has(entry.id) && !no.has(entry.id)).map((entry) => entry.id),
  );
  return yes.size / ids.size;
}

/** The latest examination of an evaluator. */
function examinationOf(examinations: Examination[], of: Examination['of']): Examination | null {
  return examinations.findLast((examination) => examination.of === of) ?? null;
}

/** The delta is computed here, as revised − first; without a cross-examination the first value stands. */
function examined(first: number, examination: Examination | null): { value: number; weight: number } {
  const value = examination?.revised ?? first;
  return { value, weight: 1 / (1 + Math.abs(value - first) / HALF_WEIGHT_DELTA) };
}

function weightedMean(parts: { value: number; weight: number }[]): number {
  const weights = parts.reduce((sum, part) => sum + part.weight, 0);
  return parts.reduce((sum, part) => sum + part.value * part.weight, 0) / weights;
}

/** How a defect that was not refuted stands; null: there is none. Without a cross-examination it is plausible. */
function standingDefect(falsifier: Defect, examination: Examination | null): ScoreCap['reason'] | null {
  if (falsifier.defect === 'none' || examination?.verdict === 'refuted') return null;
  if (examination?.verdict !== 'confirmed') return 'plausible';
  return examination.resolutionKnown ? 'resolvable' : 'unresolved';
}

/** What the falsifier said, or its explanation: a standing defect is always told. */
function defectFeedback(falsifier: Defect): Feedback[] {
  return falsifier.feedback.length > 0
    ? falsifier.feedback
    : [{ text: falsifier.explanation.slice(0, 1000).toWellFormed(), blocking: true }];
}

/** At most three, blocking first, each said once. */
function chooseFeedback(all: Feedback[]): Feedback[] {
  const unique = new Map<string, Feedback>();
  for (const feedback of all) {
    const key = feedback.text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim();
    const known = unique.get(key);
    if (!known) unique.set(key, feedback);
    else if (feedback.blocking && !known.blocking) unique.set(key, { ...known, blocking: true });
  }
  const chosen = [...unique.values()];
  return [...chosen.filter((one) => one.blocking), ...chosen.filter((one) => !one.blocking)].slice(0, MAX_FEEDBACK);
}
