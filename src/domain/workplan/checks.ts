/** What code checks of a Workplan before it is written; what fails goes back to the planner (spec 2: Workplan and score). */

import { duplicates, findCycle, transitive } from './graph.ts';
import type { Unit, Workplan } from './schema.ts';
import type { ScoreCheck } from './score-schema.ts';

export interface PlanFacts {
  /** Number of lines of a file at the run's commit; null: there is no such file. */
  fileLines(path: string): number | null;
  /** Ids of questions an eligible person answered, and of all that were asked. */
  answered: ReadonlySet<string>;
  asked: ReadonlySet<string>;
}

/**
 * Every check: one entry that says it holds, or one for each place where it does not, naming unit and field and what to do.
 * Codes: `unique_ids`, `requirements_covered`, `references_exist`, `no_cycle`, `parallel_independent`, `parallel_files`,
 * `findings_exist`, `files_exist`, `new_files`, `decisions_asked`, `decisions_answered`.
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
    report('findings_exist', 'All cited files and lines exist.', missingFindings(plan, facts)),
    report(
      'files_exist',
      'All files called existing exist, or a unit before creates them.',
      missingFiles(plan, facts, reach),
    ),
    report('new_files', 'All files called new are new.', existingNewFiles(plan, facts)),
    report('decisions_asked', 'Decisions name only questions that were asked.', unaskedDecisions(plan, facts)),
    report('decisions_answered', 'Only answered decisions are called confirmed.', unansweredDecisions(plan, facts)),
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
    const files = new Set(a.files.map((file) => normalPath(file.path)));
    const shared = [...new Set(b.files.map((file) => normalPath(file.path)))].filter((path) => files.has(path));
    if (shared.length === 0) return [];
    return [
      `unit ${a.id}, parallelWith: ${a.id} and ${b.id} both touch ${shared.join(', ')}; let one depend on the other, or split the work by files.`,
    ];
  });
}

function missingFindings(plan: Workplan, facts: PlanFacts): string[] {
  return plan.findings.flatMap((finding, index) => {
    const place = `findings[${index}]`;
    const lines = facts.fileLines(finding.path);
    if (lines === null)
      return [`${place}, path: there is no file ${finding.path} at the run's commit; cite one that exists.`];
    if (finding.startLine > finding.endLine)
      return [`${place}: startLine ${finding.startLine} is after endLine ${finding.endLine}; swap them.`];
    if (finding.endLine > lines)
      return [`${place}, endLine: ${finding.path} has ${lines} lines, not ${finding.endLine}; cite lines that exist.`];
    return [];
  });
}

function missingFiles(plan: Workplan, facts: PlanFacts, reach: Map<string, Set<string>>): string[] {
  const creators = new Map<string, string[]>();
  for (const unit of plan.units)
    for (const file of unit.files)
      if (file.state === 'new')
        creators.set(normalPath(file.path), [...(creators.get(normalPath(file.path)) ?? []), unit.id]);
  return plan.units.flatMap((unit) =>
    unit.files
      .filter((file) => file.state === 'existing' && facts.fileLines(file.path) === null)
      .filter((file) => !creators.get(normalPath(file.path))?.some((id) => reach.get(unit.id)?.has(id)))
      .map(
        ({ path }) =>
          `unit ${unit.id}, files: ${path} is called existing, but there is no such file at the run's commit; correct the path, or call it new.`,
      ),
  );
}

function existingNewFiles(plan: Workplan, facts: PlanFacts): string[] {
  return plan.units.flatMap((unit) =>
    unit.files
      .filter((file) => file.state === 'new' && facts.fileLines(file.path) !== null)
      .map(
        ({ path }) =>
          `unit ${unit.id}, files: ${path} is called new, but it exists at the run's commit; call it existing, or choose another path.`,
      ),
  );
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

function normalPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '');
}
