/** What code checks of a Workplan before it is written; what fails goes back to the planner (spec 2: Workplan and score). */

import { existingNewFiles, missingFiles, missingFindings, oddPaths } from './check-files.ts';
import { duplicates, findCycle, transitive } from './graph.ts';
import { canonicalPath } from './paths.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { Unit, Workplan } from './schema.ts';
import type { ScoreCheck } from './score-schema.ts';

/**
 * Every check: one entry that says it holds, or one for each place where it does not, naming unit and field and what to do.
 * Codes: `unique_ids`, `requirements_covered`, `references_exist`, `no_cycle`, `parallel_independent`, `parallel_files`,
 * `paths_canonical`, `findings_exist`, `files_exist`, `new_files`, `decisions_asked`, `decisions_answered`, `questions_decided`.
 */
export function checkWorkplan(plan: Workplan, facts: PlanFacts): ScoreCheck[] {
  const reach = transitive(new Map(plan.units.map((unit) => [unit.id, unit.dependsOn])));
  return [
    report('unique_ids', 'All requirement and unit ids are unique.', uniqueIds(plan)),
    report('requirements_covered', 'Every requirement is covered by a unit.', uncovered(plan)),
    report('references_exist', 'All requirements and units that units name exist.', unknownReferences(plan)),
    report('no_cycle', 'The units can be done in order: their dependencies have no cycle.', cycle(plan)),
    report(
      'parallel_independent',
      'Units said to be parallel do not wait for each other.',
      dependentPairs(plan, reach),
    ),
    report('parallel_files', 'Units said to be parallel do not touch the same files.', sharedFiles(plan)),
    report('paths_canonical', 'All paths are written as the repository writes them.', oddPaths(plan)),
    report('findings_exist', 'All cited files and lines exist.', missingFindings(plan, facts)),
    report(
      'files_exist',
      'All files called existing exist, or a unit before creates them.',
      missingFiles(plan, facts, reach),
    ),
    report('new_files', 'All files called new are new.', existingNewFiles(plan, facts)),
    report('decisions_asked', 'Decisions name only questions that were asked.', unaskedDecisions(plan, facts)),
    report('decisions_answered', 'Only answered decisions are called confirmed.', unansweredDecisions(plan, facts)),
    report('questions_decided', 'Every question that was asked has its decision.', undecidedQuestions(plan, facts)),
  ].flat();
}

export function failedChecks(checks: ScoreCheck[]): ScoreCheck[] {
  return checks.filter((check) => !check.ok);
}

function report(code: string, holds: string, problems: string[]): ScoreCheck[] {
  if (problems.length === 0) return [{ code, ok: true, message: holds }];
  return problems.map((message) => ({ code, ok: false, message }));
}

function uniqueIds(plan: Workplan): string[] {
  return [
    ...duplicates(plan.requirements.map(({ id }) => id)).map(
      (id) => `requirements: the id ${id} is given more than once; give each its own.`,
    ),
    ...duplicates(plan.units.map(({ id }) => id)).map(
      (id) => `units: the id ${id} is given more than once; give each its own.`,
    ),
  ];
}

function uncovered(plan: Workplan): string[] {
  const covered = new Set(plan.units.flatMap((unit) => unit.covers));
  return plan.requirements
    .filter((requirement) => !covered.has(requirement.id))
    .map(
      ({ id }) =>
        `requirement ${id}: no unit covers it; add it to the covers of the unit that meets it, or add a unit.`,
    );
}

function unknownReferences(plan: Workplan): string[] {
  const requirements = new Set(plan.requirements.map(({ id }) => id));
  const units = new Set(plan.units.map(({ id }) => id));
  const problems: string[] = [];
  for (const unit of plan.units) {
    for (const id of unit.covers)
      if (!requirements.has(id))
        problems.push(`unit ${unit.id}, covers: there is no requirement ${id}; name an existing one or remove it.`);
    for (const field of ['dependsOn', 'parallelWith'] as const)
      for (const id of unit[field])
        if (!units.has(id))
          problems.push(`unit ${unit.id}, ${field}: there is no unit ${id}; name an existing one or remove it.`);
  }
  return problems;
}

function cycle(plan: Workplan): string[] {
  const found = findCycle(new Map(plan.units.map((unit) => [unit.id, unit.dependsOn])));
  if (!found) return [];
  return [`unit ${found[0]}, dependsOn: ${found.join(' → ')} is a cycle; remove one of these dependencies.`];
}

/** Pairs said to be parallel, each once, in the order of the units. */
function parallelPairs(plan: Workplan): [Unit, Unit][] {
  const byId = new Map(plan.units.map((unit) => [unit.id, unit]));
  const seen = new Set<string>();
  const pairs: [Unit, Unit][] = [];
  for (const unit of plan.units)
    for (const id of unit.parallelWith) {
      const other = byId.get(id);
      const key = JSON.stringify([unit.id, id].sort());
      if (!other || seen.has(key)) continue;
      seen.add(key);
      pairs.push([unit, other]);
    }
  return pairs;
}

function dependentPairs(plan: Workplan, reach: Map<string, Set<string>>): string[] {
  return parallelPairs(plan).flatMap(([a, b]) => {
    if (a.id === b.id) return [`unit ${a.id}, parallelWith: it names itself; remove that.`];
    const waits = reach.get(a.id)?.has(b.id) ? [a, b] : reach.get(b.id)?.has(a.id) ? [b, a] : null;
    if (!waits) return [];
    return [
      `unit ${a.id}, parallelWith: ${waits[0]?.id} depends on ${waits[1]?.id}, so they cannot run beside each other; remove one or the other.`,
    ];
  });
}

function sharedFiles(plan: Workplan): string[] {
  return parallelPairs(plan).flatMap(([a, b]) => {
    if (a.id === b.id) return [];
    const files = new Set(a.files.map((file) => canonicalPath(file.path)));
    const shared = [...new Set(b.files.map((file) => canonicalPath(file.path)))].filter((path) => files.has(path));
    if (shared.length === 0) return [];
    return [
      `unit ${a.id}, parallelWith: ${a.id} and ${b.id} both touch ${shared.join(', ')}; let one depend on the other, or split the work by files.`,
    ];
  });
}

function unaskedDecisions(plan: Workplan, facts: PlanFacts): string[] {
  return plan.decisions.flatMap(({ questionId }, index) =>
    questionId === undefined || facts.asked.has(questionId)
      ? []
      : [
          `decisions[${index}], questionId: no question ${questionId} was asked; name one that was, or leave questionId out.`,
        ],
  );
}

function unansweredDecisions(plan: Workplan, facts: PlanFacts): string[] {
  return plan.decisions.flatMap(({ questionId, confirmed }, index) => {
    if (!confirmed || (questionId !== undefined && facts.answered.has(questionId))) return [];
    const why = questionId === undefined ? 'it names no question' : `nobody eligible answered ${questionId}`;
    return [`decisions[${index}], confirmed: ${why}; set confirmed to false.`];
  });
}

/** A person's answer is never lost, and what was assumed in its place is always said (spec 2: Questions and replies). */
function undecidedQuestions(plan: Workplan, facts: PlanFacts): string[] {
  return [...facts.asked].flatMap((id) => {
    const own = plan.decisions.filter((decision) => decision.questionId === id);
    const answered = facts.answered.has(id);
    if (own.some(({ confirmed }) => confirmed === answered)) return [];
    const what = answered
      ? `${id} was answered; add a decision that says what was answered, with this questionId and confirmed true.`
      : `nobody eligible answered ${id}; add the recommended answer as a decision with this questionId and confirmed false.`;
    return [`decisions: ${what}`];
  });
}
