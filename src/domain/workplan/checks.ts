/** What code checks of a Workplan before it is written; what fails goes back to the planner (spec 2: Workplan and score). */

import {
  contradictingDecisions,
  unansweredDecisions,
  unaskedDecisions,
  undecidedQuestions,
} from './check-decisions.ts';
import { existingNewFiles, missingFiles, oddPaths } from './check-files.ts';
import { foreignFindings, missingFindings, wideFindings } from './check-findings.ts';
import { dependentPairs, madeTwice, sharedFiles } from './check-parallel.ts';
import {
  cycle,
  oddSources,
  unansweredSources,
  uncovered,
  uniqueIds,
  unknownReferences,
  untraced,
  unverifiable,
  wrongSizes,
} from './check-references.ts';
import { transitive } from './graph.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { Workplan } from './schema.ts';
import type { ScoreCheck } from './score-schema.ts';

/** For each unit the units that it waits for, directly or through others. */
type Reach = ReadonlyMap<string, ReadonlySet<string>>;

interface PlanCheck {
  code: string;
  /** What is said when nothing is wrong. */
  holds: string;
  /** It compares the plan with the repository at the run's commit: without one there is nothing to compare with. */
  aboutFiles?: true;
  /** It compares the plan with the questions of the run. */
  aboutQuestions?: true;
  problems(plan: Workplan, facts: PlanFacts, reach: Reach): string[];
}

const CHECKS = [
  { code: 'unique_ids', holds: 'All requirement and unit ids are unique.', problems: uniqueIds },
  { code: 'requirements_sourced', holds: 'Every requirement says where it is asked for.', problems: oddSources },
  {
    code: 'sources_answered',
    holds: 'Requirements that come from an answer name one that was given.',
    aboutQuestions: true,
    problems: unansweredSources,
  },
  { code: 'requirements_covered', holds: 'Every requirement is covered by a unit.', problems: uncovered },
  {
    code: 'references_exist',
    holds: 'All requirements and units that units name exist.',
    problems: unknownReferences,
  },
  {
    code: 'units_traced',
    holds: 'Every unit covers a requirement, or a unit that does needs it.',
    problems: (plan, _facts, reach) => untraced(plan, reach),
  },
  { code: 'no_cycle', holds: 'The units can be done in order: their dependencies have no cycle.', problems: cycle },
  {
    code: 'parallel_independent',
    holds: 'Units said to be parallel do not wait for each other.',
    problems: (plan, _facts, reach) => dependentPairs(plan, reach),
  },
  {
    code: 'parallel_files',
    holds: 'Units said to be parallel do not touch the same files.',
    problems: sharedFiles,
  },
  {
    code: 'units_verifiable',
    holds: 'Every unit says what is accepted and how to verify it.',
    problems: unverifiable,
  },
  { code: 'sizes_fit', holds: 'No unit touches more files than its size allows.', problems: wrongSizes },
  { code: 'paths_canonical', holds: 'All paths are written as the repository writes them.', problems: oddPaths },
  { code: 'findings_exist', holds: 'All cited files and lines exist.', aboutFiles: true, problems: missingFindings },
  { code: 'findings_narrow', holds: 'All citations name a place.', problems: wideFindings },
  {
    code: 'findings_pinned',
    holds: "All citations are of the run's commit.",
    aboutFiles: true,
    problems: foreignFindings,
  },
  {
    code: 'files_exist',
    holds: 'All files called existing exist, or a unit before creates them.',
    aboutFiles: true,
    problems: missingFiles,
  },
  { code: 'new_files', holds: 'All files called new are new.', aboutFiles: true, problems: existingNewFiles },
  {
    code: 'new_once',
    holds: 'Every new file is made by one unit.',
    problems: (plan, _facts, reach) => madeTwice(plan, reach),
  },
  {
    code: 'decisions_asked',
    holds: 'Decisions name only questions that were asked.',
    aboutQuestions: true,
    problems: unaskedDecisions,
  },
  {
    code: 'decisions_answered',
    holds: 'Only answered decisions are called confirmed.',
    aboutQuestions: true,
    problems: unansweredDecisions,
  },
  {
    code: 'decisions_consistent',
    holds: 'No question is called both confirmed and not confirmed.',
    problems: contradictingDecisions,
  },
  {
    code: 'questions_decided',
    holds: 'Every question that was asked has its decision.',
    aboutQuestions: true,
    problems: undecidedQuestions,
  },
] as const satisfies readonly PlanCheck[];

/** The codes of all checks, in their order (docs/workplan.md says what each means). */
export const CHECK_CODES: readonly string[] = CHECKS.map(({ code }) => code);

export interface CheckScope {
  /** False: there is no repository to compare with, as in a piece that is run locally. Default true. */
  files?: boolean;
  /** False: the questions of the run are not known. Default true. */
  questions?: boolean;
}

/** Every check in scope: one entry that says it holds, or one for each place where it does not, naming unit and field and what to do. */
export function checkWorkplan(plan: Workplan, facts: PlanFacts, scope: CheckScope = {}): ScoreCheck[] {
  const { files = true, questions = true } = scope;
  const reach = transitive(new Map(plan.units.map((unit) => [unit.id, unit.dependsOn])));
  return CHECKS.filter(
    (check: PlanCheck) => (files || !check.aboutFiles) && (questions || !check.aboutQuestions),
  ).flatMap((check: PlanCheck) => report(check, check.problems(plan, facts, reach)));
}

export function failedChecks(checks: ScoreCheck[]): ScoreCheck[] {
  return checks.filter((check) => !check.ok);
}

function report({ code, holds }: PlanCheck, problems: string[]): ScoreCheck[] {
  if (problems.length === 0) return [{ code, ok: true, message: holds }];
  return problems.map((message) => ({ code, ok: false, message }));
}
