/** The evaluators and their cross-examiners: numbers computed from the facts of an assessment, the same for the same facts. */
import type { Coverage, Defect, Examination, Feedback, Rubric } from '../../../domain/workplan/score-schema.ts';
import type { Assessment } from './assess.ts';
import { ASKS_FOR_TESTS, type Asked, concreteStems } from './requirements.ts';
import { reviewTexts } from './review-texts.ts';
import { quote } from './text.ts';
import type { Evaluations } from './tool-data.ts';

/** What rules cannot see of a criterion that needs understanding, points. */
const DOUBT = 1;

function points(value: number): number {
  return Math.round(Math.min(20, Math.max(0, value)) * 10) / 10;
}

function share(part: number, all: number): number {
  return all === 0 ? 0 : part / all;
}

function feedback(text: string, blocking: boolean): Feedback {
  return { text: quote(text, 900), blocking };
}

/** Files that several units change one after the other. */
function sharedFiles(units: { files: { path: string }[] }[]): number {
  const counts = new Map<string, number>();
  for (const unit of units) for (const { path } of unit.files) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1).length;
}

/** Share of requirements whose words the opened files speak of: what the code has never heard of is not grounded in it. */
function familiar({ plan, found }: Assessment): number {
  const known = plan.requirements.filter((one) => {
    // Terms of another script are in the code only by their English names, which are among the stems.
    const own = concreteStems(one.text).filter((word) => /^[a-z]/.test(word));
    const spoken = own.filter((word) => found.evidence.opened.some((file) => file.stems.has(word)));
    return own.length === 0 || spoken.length / own.length >= 0.4;
  });
  return share(known.length, plan.requirements.length);
}

/** What would raise the score, most valuable first. */
function advice(facts: Assessment): Feedback[] {
  const texts = reviewTexts(facts.found.language);
  const textOf = (id: string) => quote(facts.plan.requirements.find((one) => one.id === id)?.text ?? '', 200);
  return [
    ...facts.missing.map((one) => feedback(texts.missing(one.requirement.text, one.requirement.source), true)),
    ...facts.uncovered.map((id) => feedback(texts.uncovered(id, textOf(id)), true)),
    ...facts.dangling.slice(0, 1).map(({ unit, other }) => feedback(texts.unknownUnit(unit, other), true)),
    ...facts.plan.decisions.filter((one) => !one.confirmed).map((one) => feedback(texts.unconfirmed(one.text), false)),
    ...(facts.plan.requirements.length > 0 && !facts.found.reading.requirements.some(isCriterion)
      ? [feedback(texts.noAcceptance, false)]
      : []),
    ...facts.unspecific.slice(0, 2).map((id) => feedback(texts.unspecific(id), false)),
    ...(facts.unreached.length > 0 ? [feedback(texts.unreached(facts.unreached.slice(0, 4)), false)] : []),
  ].slice(0, 5);
}

/**
 * How much the item gives to work with, 0.4–1: how many things it asks for, how one sees that they are done, and the cases, numbers and names
 * in it. A short item can be planned, but what it does not say nobody has checked.
 */
function depthOf({ found, plan }: Assessment): number {
  const own = found.reading.requirements;
  const answered = plan.decisions.filter((one) => one.confirmed).length;
  const criteria = own.filter(isCriterion).length;
  const telling = own.filter((one) => /\d|`[^`]+`|「/.test(one.requirement.text)).length;
  const asked = Math.min(1, (own.length + answered) / 4);
  const shown = criteria > 0 ? Math.min(1, 0.6 + criteria / 5) : Math.min(0.5, telling / 6);
  const exact = Math.min(1, telling / Math.max(1, Math.min(own.length, 4)));
  return 0.4 + 0.2 * asked + 0.25 * shown + 0.15 * exact;
}

/** That tests are wanted does not say what they show. */
function isCriterion({ criterion, requirement }: Asked): boolean {
  return criterion && !ASKS_FOR_TESTS.test(requirement.text);
}

/** Nothing tells whether it is fulfilled: it names no value, limit or case itself, and the item has no criteria. */
function unobservable({ plan, found, unspecific }: Assessment): Set<string> {
  if (found.reading.requirements.some(isCriterion) || plan.decisions.some((one) => one.confirmed)) return new Set();
  return new Set(unspecific);
}

export function rubricOf(facts: Assessment): Rubric {
  const { plan, found } = facts;
  const required = plan.requirements.length + facts.missing.length;
  const units = plan.units.length;
  const grounded = plan.units.filter(
    (unit) => unit.files.length > 0 && !facts.filesMissing.some((one) => one.unit === unit.id),
  ).length;
  const tied = plan.units.filter((unit) =>
    unit.files.some((file) => file.state === 'new' || plan.findings.some((finding) => finding.path === file.path)),
  ).length;
  const right = share(plan.findings.length - facts.wrong.length, plan.findings.length);
  const criteria = plan.units.filter((unit) => unit.acceptance.some((text) => /\d|`/.test(text))).length;
  const runnable = plan.units.filter((unit) => unit.verify.some((text) => text.includes('`'))).length;
  const unconfirmed = plan.decisions.filter((one) => !one.confirmed).length;
  const clarified = plan.decisions.filter((one) => one.confirmed).length;
  const own = found.reading.requirements;
  const depth = depthOf(facts);
  const faults =
    facts.failedChecks.length * 4 +
    facts.dangling.length * 2.5 +
    facts.clashes.length * 3 +
    facts.cyclic.length * 4 +
    facts.filesExisting.length * 2 +
    Math.min(3, sharedFiles(plan.units) * 0.5);
  return {
    // What was asked for in two sentences is easily covered, and little stands behind it.
    coverage: points(20 * (0.7 + 0.3 * depth) * share(plan.requirements.length - facts.uncovered.length, required)),
    groundedness: points(
      (20 - DOUBT) *
        (0.55 + 0.45 * depth) *
        (0.6 + 0.4 * familiar(facts)) *
        (0.35 * share(grounded, units) + 0.3 * share(tied, units) + 0.35 * right),
    ),
    specificity: points(
      20 *
        depth *
        (0.55 * share(plan.requirements.length - facts.unspecific.length, plan.requirements.length) +
          0.25 * share(criteria, units) +
          0.2 * share(runnable, units)),
    ),
    feasibility: points(
      20 -
        DOUBT -
        faults -
        2 * plan.units.filter((unit) => unit.size === 'L').length -
        (units < 3 && own.length > 2 ? 4 : 0) -
        10 * (1 - depth),
    ),
    completeness: points(
      4 -
        DOUBT +
        14 * facts.reach * depth +
        (plan.outOfScope.length > 0 ? 1 : 0) +
        (plan.risks.length > 0 ? 1 : 0) -
        Math.min(8, 2.5 * unconfirmed) -
        Math.min(6, 2 * clarified) -
        (own.some(isCriterion) ? 0 : 3) -
        (own.length < 3 ? 3 : 0) -
        plan.openQuestions.length * 0.5,
    ),
    feedback: advice(facts),
  };
}

export function totalOf(rubric: Rubric): number {
  return Math.round(
    rubric.coverage + rubric.groundedness + rubric.specificity + rubric.feasibility + rubric.completeness,
  );
}

export function coverageOf(facts: Assessment): Coverage {
  const texts = reviewTexts(facts.found.language);
  const unseen = unobservable(facts);
  // A unit without a file is a wish: it fulfils nothing yet.
  const empty = new Set(facts.plan.units.filter((unit) => unit.files.length === 0).map((unit) => unit.id));
  const placed = (id: string): boolean =>
    facts.plan.units.some((unit) => !empty.has(unit.id) && unit.covers.includes(id));
  return {
    requirements: facts.plan.requirements.map((one) => ({
      id: one.id,
      covered: !facts.uncovered.includes(one.id) && !unseen.has(one.id) && placed(one.id),
    })),
    units: facts.plan.units.map((unit) => ({
      id: unit.id,
      traced: !facts.untraced.includes(unit.id) && !empty.has(unit.id),
    })),
    feedback: facts.missing
      .slice(0, 5)
      .map((one) => feedback(texts.missing(one.requirement.text, one.requirement.source), true)),
  };
}

/** round(100 · F1) of recall over requirements and precision over units. */
function f1(coverage: Coverage): number {
  const recall = share(coverage.requirements.filter((one) => one.covered).length, coverage.requirements.length);
  const precision = share(coverage.units.filter((one) => one.traced).length, coverage.units.length);
  return recall + precision === 0 ? 0 : Math.round((200 * recall * precision) / (recall + precision));
}

type Shown = Pick<Defect, 'defect' | 'confidence' | 'explanation'>;

function showDefect(facts: Assessment): Shown {
  const texts = reviewTexts(facts.found.language);
  const { plan } = facts;
  const [wrong] = facts.wrong;
  if (wrong) {
    const { path, startLine, endLine } = wrong.finding;
    return {
      defect: 'wrong_claim',
      confidence: 0.9,
      explanation:
        wrong.name === null ? texts.wrongLines(path, startLine, endLine) : texts.wrongName(wrong.name, path, startLine),
    };
  }
  const [absent] = facts.filesMissing;
  if (absent)
    return { defect: 'wrong_claim', confidence: 0.9, explanation: texts.fileMissing(absent.unit, absent.path) };
  const [missing] = facts.missing;
  if (missing)
    return {
      defect: 'missing_requirement',
      confidence: 0.7,
      explanation: texts.missing(missing.requirement.text, missing.requirement.source),
    };
  const [uncovered] = facts.uncovered;
  if (uncovered !== undefined)
    return {
      defect: 'missing_requirement',
      confidence: 0.9,
      explanation: texts.uncovered(uncovered, plan.requirements.find((one) => one.id === uncovered)?.text ?? ''),
    };
  const [pair] = facts.contradictions;
  if (pair) return { defect: 'contradiction', confidence: 0.8, explanation: texts.contradiction(pair.a, pair.b) };
  if (facts.cyclic.length > 0)
    return { defect: 'impossible_order', confidence: 1, explanation: texts.cycle(facts.cyclic) };
  const [clash] = facts.clashes;
  if (clash)
    return {
      defect: 'impossible_order',
      confidence: 0.9,
      explanation: texts.parallel(clash.unit, clash.other, clash.path),
    };
  const [dangling] = facts.dangling;
  if (dangling)
    return {
      defect: 'impossible_order',
      confidence: 0.9,
      explanation: texts.unknownUnit(dangling.unit, dangling.other),
    };
  const assumed = plan.decisions.find((one) => !one.confirmed);
  if (assumed) return { defect: 'unconfirmed_decision', confidence: 0.6, explanation: texts.unconfirmed(assumed.text) };
  if (facts.unspecific.length * 2 > plan.requirements.length)
    return { defect: 'unverifiable', confidence: 0.6, explanation: texts.unverifiable };
  if (facts.found.evidence.opened.length > 0 && familiar(facts) <= 0.25)
    return { defect: 'unverifiable', confidence: 0.5, explanation: texts.unfamiliar };
  const [loose] = facts.untraced;
  if (loose !== undefined) return { defect: 'scope_creep', confidence: 0.7, explanation: texts.untraced(loose) };
  return {
    defect: 'none',
    confidence: 0.7,
    explanation: texts.none(plan.requirements.length, plan.units.length, plan.findings.length),
  };
}

export function defectOf(facts: Assessment): Defect {
  const shown = showDefect(facts);
  const said = shown.defect === 'none' ? [] : [feedback(shown.explanation, shown.confidence >= 0.8)];
  return { ...shown, explanation: quote(shown.explanation, 1800), feedback: said };
}

function verdictOn(given: number, revised: number): Examination['verdict'] {
  const delta = Math.abs(given - revised);
  return delta <= 5 ? 'confirmed' : delta <= 25 ? 'plausible' : 'refuted';
}

/** Counts or looks again and compares. An evaluation that is not there is answered with the own count, as plausible. */
export function examine(of: Examination['of'], facts: Assessment, given: Evaluations): Examination {
  const texts = reviewTexts(facts.found.language);
  const open = facts.plan.decisions.some((one) => !one.confirmed);
  if (of === 'falsifier') {
    const own = defectOf(facts);
    const same = given.falsifier?.defect === own.defect;
    // That nobody confirmed something is certain, that it is wrong is not: only people can tell.
    const unsure = own.defect === 'unconfirmed_decision' || own.defect === 'unverifiable';
    return {
      of,
      revised: null,
      verdict: !same && given.falsifier ? 'refuted' : unsure || !given.falsifier ? 'plausible' : 'confirmed',
      resolutionKnown: own.defect !== 'unconfirmed_decision' && own.defect !== 'contradiction',
      explanation: quote(`${same ? texts.same : texts.different(own.defect)} ${own.explanation}`, 1800),
    };
  }
  const revised = of === 'rubric' ? totalOf(rubricOf(facts)) : f1(coverageOf(facts));
  const value = of === 'rubric' ? given.rubric && totalOf(given.rubric) : given.coverage && f1(given.coverage);
  return {
    of,
    revised,
    verdict: value === null ? 'plausible' : verdictOn(value, revised),
    resolutionKnown: !open,
    explanation: quote(texts.recount(value ?? revised, revised), 1800),
  };
}
