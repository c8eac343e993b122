/** The reviewers: does the plan cover what was asked, and can it be carried out here? */
import type { Review } from '../../../domain/workplan/schema.ts';
import type { Assessment } from './assess.ts';
import { reviewTexts } from './review-texts.ts';
import { quote, stemSet, within } from './text.ts';

const MAX_REMARKS = 40;

function remark(text: string, blocking: boolean, unitId?: string): Review['findings'][number] {
  return { text: quote(text, 1500), blocking, ...(unitId === undefined ? {} : { unitId }) };
}

export function coverageReview(facts: Assessment): Review {
  const texts = reviewTexts(facts.found.language);
  const { plan } = facts;
  const textOf = (id: string) => quote(plan.requirements.find((one) => one.id === id)?.text ?? '', 300);
  const findings = [
    ...facts.missing.map((one) => remark(texts.missing(one.requirement.text, one.requirement.source), true)),
    ...facts.uncovered.map((id) => remark(texts.uncovered(id, textOf(id)), true)),
    ...facts.untraced.map((id) => remark(texts.untraced(id), true, id)),
    ...facts.answersMissing.map((question) => remark(texts.answerMissing(question), true)),
    ...facts.falselyConfirmed.map((text) => remark(texts.falselyConfirmed(text), true)),
    ...facts.contradictions.map(({ a, b }) => remark(texts.contradiction(a, b), true)),
    ...facts.found.reading.outOfScope.flatMap((text) => {
      const own = stemSet(text);
      // A unit that says nearly all words of an exclusion in its title does what was excluded.
      const unit = own.size < 2 ? undefined : plan.units.find((one) => within(own, stemSet(one.title)) >= 0.9);
      return unit ? [remark(texts.excluded(unit.id, text), true, unit.id)] : [];
    }),
    ...facts.unspecific.slice(0, 3).map((id) => remark(texts.unspecific(id), false)),
  ];
  return { findings: findings.slice(0, MAX_REMARKS) };
}

export function feasibilityReview(facts: Assessment): Review {
  const texts = reviewTexts(facts.found.language);
  const findings = [
    ...facts.failedChecks.map((check) => remark(texts.check(check.message), true)),
    ...facts.filesMissing.map(({ unit, path }) => remark(texts.fileMissing(unit, path), true, unit)),
    ...facts.filesExisting.map(({ unit, path }) => remark(texts.fileExists(unit, path), true, unit)),
    ...facts.dangling.map(({ unit, other }) => remark(texts.unknownUnit(unit, other), true, unit)),
    ...facts.clashes.map(({ unit, other, path }) => remark(texts.parallel(unit, other, path), true, unit)),
    ...(facts.cyclic.length > 0 ? [remark(texts.cycle(facts.cyclic), true)] : []),
    ...facts.wrong.map(({ finding, name }) =>
      remark(
        name === null
          ? texts.wrongLines(finding.path, finding.startLine, finding.endLine)
          : texts.wrongName(name, finding.path, finding.startLine),
        true,
      ),
    ),
    ...facts.plan.units
      .filter((unit) => unit.acceptance.length === 0 || unit.verify.length === 0)
      .map((unit) => remark(texts.noCriteria(unit.id), true, unit.id)),
    ...(facts.unreached.length > 0 ? [remark(texts.unreached(facts.unreached.slice(0, 5)), false)] : []),
  ];
  return { findings: findings.slice(0, MAX_REMARKS) };
}

export function isBlocked(review: Review): boolean {
  return review.findings.some((finding) => finding.blocking);
}
