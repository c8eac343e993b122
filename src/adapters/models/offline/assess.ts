/** A plan measured against the item and the repository, both read anew: the facts that reviews and evaluations are made of. */
import type { Finding, Unit, Workplan } from '../../../domain/workplan/schema.ts';
import { applyDecisions, settle } from './answers.ts';
import { contradictionsIn } from './contradictions.ts';
import type { Call, Work } from './conversation.ts';
import { confirmPaths } from './ranking.ts';
import { concreteStems, type Asked as Wanted } from './requirements.ts';
import { planFrom, type Study, study } from './research.ts';
import { overlap, quote, stemSet, within } from './text.ts';
import { readOf, readPlan } from './tool-data.ts';

export interface Assessment {
  found: Study;
  plan: Workplan;
  failedChecks: { code: string; message: string }[];
  /** Of the item, said by no requirement of the plan. */
  missing: Wanted[];
  /** Ids of the plan's requirements that no unit fulfils. */
  uncovered: string[];
  untraced: string[];
  /** Findings whose lines are not there or do not name what they claim. */
  wrong: { finding: Finding; name: string | null }[];
  filesMissing: { unit: string; path: string }[];
  filesExisting: { unit: string; path: string }[];
  dangling: { unit: string; other: string }[];
  clashes: { unit: string; other: string; path: string }[];
  cyclic: string[];
  contradictions: { a: string; b: string }[];
  answersMissing: string[];
  falselyConfirmed: string[];
  unspecific: string[];
  /** Files the item concerns and no unit touches. */
  unreached: string[];
  reach: number;
}

const MAX_FINDINGS_READ = 40;

export function* assess(task: string): Work<Assessment | null> {
  const found = yield* study(task);
  const { plan, checks } = yield* readPlan();
  if (plan === null) return null;
  yield* confirmPaths(
    found.evidence,
    plan.units.flatMap((unit) => unit.files.map((file) => file.path)),
  );
  const cited = plan.findings.slice(0, MAX_FINDINGS_READ);
  const calls: Call[] = cited.map(({ path, startLine, endLine }) => ({
    name: 'repo_read',
    input: { path, startLine, endLine: Math.min(endLine, startLine + 399) },
  }));
  const texts = calls.length > 0 ? yield calls : [];
  const wrong = cited.flatMap((finding, index): Assessment['wrong'] => {
    const read = readOf(texts[index]);
    if (read === null || finding.endLine > read.totalLines) return [{ finding, name: null }];
    const name = /^`([A-Za-z_]\w*)`/.exec(finding.text)?.[1];
    return name !== undefined && !read.text.includes(name) ? [{ finding, name }] : [];
  });
  const settled = settle(found.asked, found.drafts, found.language);
  const wanted = applyDecisions(found.reading, found.drafts, settled).requirements;
  const stated = plan.requirements.map((one) => stemSet(one.text));
  const ids = new Set(plan.units.map((unit) => unit.id));
  const { paths } = found.evidence;
  // What one unit creates another may change.
  const made = new Set(
    plan.units.flatMap((unit) => unit.files.filter((file) => file.state === 'new').map((file) => file.path)),
  );
  const decided = plan.decisions.map((one) => stemSet(one.text));
  const asAsked = plan.requirements.map(
    (requirement): Wanted => ({ requirement, topic: '', criterion: false, stems: stemSet(requirement.text) }),
  );
  const expected = [...new Set(planFrom(found).units.flatMap((unit) => unit.files.map((file) => file.path)))];
  const touched = new Set(plan.units.flatMap((unit) => unit.files.map((file) => file.path)));
  const unreached = expected.filter((path) => !touched.has(path));
  const answeredIds = found.asked.filter((one) => one.answers.length > 0).map((one) => one.id);
  return {
    found,
    plan,
    failedChecks: checks.filter((check) => !check.ok),
    missing: wanted.filter(
      (one) =>
        !one.requirement.source.startsWith('answer:') && !stated.some((other) => within(one.stems, other) >= 0.4),
    ),
    uncovered: plan.requirements.filter((one) => !isCovered(one.id, one.text, plan.units)).map((one) => one.id),
    untraced: untraced(plan),
    wrong,
    filesMissing:
      paths.size === 0
        ? []
        : plan.units.flatMap((unit) =>
            unit.files
              .filter((file) => file.state === 'existing' && !paths.has(file.path) && !made.has(file.path))
              .map((file) => ({ unit: unit.id, path: file.path })),
          ),
    filesExisting: plan.units.flatMap((unit) =>
      unit.files
        .filter((file) => file.state === 'new' && paths.has(file.path))
        .map((file) => ({ unit: unit.id, path: file.path })),
    ),
    dangling: plan.units.flatMap((unit) =>
      [...unit.dependsOn, ...unit.parallelWith]
        .filter((other) => !ids.has(other))
        .map((other) => ({ unit: unit.id, other })),
    ),
    clashes: clashes(plan),
    cyclic: cyclic(plan),
    contradictions: contradictionsIn(asAsked)
      .filter((one) => !decided.some((words) => overlap(new Set(one.subject), words) >= 0.5))
      .map((one) => ({ a: one.a.requirement.text, b: one.b.requirement.text })),
    answersMissing: found.asked
      .filter(
        (one) => answeredIds.includes(one.id) && !plan.decisions.some((decision) => decision.questionId === one.id),
      )
      .map((one) => one.question),
    falselyConfirmed: plan.decisions
      .filter((one) => one.confirmed && (one.questionId === undefined || !answeredIds.includes(one.questionId)))
      .map((one) => one.text),
    unspecific: plan.requirements.filter((one) => !isSpecific(one.text)).map((one) => one.id),
    unreached,
    reach: expected.length === 0 ? 1 : 1 - unreached.length / expected.length,
  };
}

function isCovered(id: string, text: string, units: Unit[]): boolean {
  const own = stemSet(text);
  return units.some(
    (unit) =>
      unit.covers.includes(id) && within(own, stemSet([unit.title, unit.why, ...unit.acceptance].join(' '))) >= 0.4,
  );
}

function untraced(plan: Workplan): string[] {
  const known = new Set(plan.requirements.map((one) => one.id));
  const traced = new Set(plan.units.filter((unit) => unit.covers.some((id) => known.has(id))).map((unit) => unit.id));
  for (const unit of [...plan.units].reverse())
    if (traced.has(unit.id)) for (const other of unit.dependsOn) traced.add(other);
  return plan.units.map((unit) => unit.id).filter((id) => !traced.has(id));
}

function clashes(plan: Workplan): Assessment['clashes'] {
  return plan.units.flatMap((unit) =>
    unit.parallelWith.flatMap((id) => {
      const other = plan.units.find((one) => one.id === id);
      const common = other?.files.find((file) => unit.files.some((own) => own.path === file.path));
      return common && unit.id < id ? [{ unit: unit.id, other: id, path: common.path }] : [];
    }),
  );
}

/** Ids that stay when everything that depends on nothing left is taken away again and again. */
function cyclic(plan: Workplan): string[] {
  const left = new Map(plan.units.map((unit) => [unit.id, unit.dependsOn]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [id, others] of left) {
      if (others.some((other) => left.has(other))) continue;
      left.delete(id);
      changed = true;
    }
  }
  return [...left.keys()];
}

/** Names a number, something of the code, or enough of the matter to tell done from not done. */
export function isSpecific(text: string): boolean {
  return (
    /\d|`[^`]+`/.test(text) ||
    concreteStems(text).length >= 5 ||
    (concreteStems(text).length >= 3 &&
      /\b(always|never|only|every|each|no|none|without|throws?|refuse[sd]?|reject(s|ed)?|unchanged|before|after|until|when|if|unless|once|as soon as)\b/i.test(
        text,
      )) ||
    (/[ぁ-ヿ]/.test(text) && quote(text, 400).length >= 25)
  );
}
