/** Checks of produced data beyond its schema; what fails goes back to the agent (spec 2: Workplan and score, Questions and replies). */
import { wasAsked } from '../../domain/run/ask.ts';
import type { RunState } from '../../domain/run/state.ts';
import { foreignFindings, missingFindings, wideFindings } from '../../domain/workplan/check-findings.ts';
import { checkWorkplan, failedChecks } from '../../domain/workplan/checks.ts';
import type { Produced } from '../../domain/workplan/data-kinds.ts';
import type { Research } from '../../domain/workplan/schema.ts';
import { EVALUATORS, type Examination } from '../../domain/workplan/score-schema.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import { planFacts, repositoryFacts } from '../plan-facts.ts';

/**
 * The check of one agent's data: sentences it can act on; empty: nothing is wrong. `sub`: the sub-movement, null for a movement. Questions
 * that were asked before go back once; given again they are left to `decide`, which asks only what is new.
 */
export function createDataCheck(
  state: RunState,
  sub: string | null,
  snapshot: RepositorySnapshot | null,
): (produced: Produced) => string[] {
  let repeatedTold = false;
  return (produced) => {
    switch (produced.kind) {
      case 'workplan':
        // A run without a work item (a piece run locally) has no repository to check against.
        return failedChecks(
          checkWorkplan(produced.value, planFacts(state, snapshot), { files: state.item !== null }),
        ).map((check) => check.message);
      case 'research':
        return snapshot ? citations(produced.value, snapshot) : [];
      case 'questions': {
        if (repeatedTold) return [];
        const again = produced.value.questions.filter((question) => wasAsked(state, question));
        repeatedTold = again.length > 0;
        return again.map(
          ({ id }) => `The question "${id}" was asked before; use questions_read and do not ask it again.`,
        );
      }
      case 'examination':
        return wrongExamination(produced.value, state, sub);
      default:
        return [];
    }
  };
}

/** Each evaluator is examined by one: a sub-movement that is named after one (`examine_rubric`) by that one. */
function wrongExamination({ of }: Examination, state: RunState, sub: string | null): string[] {
  const own = EVALUATORS.find((name) => sub === name || sub?.endsWith(`_${name}`) || sub?.endsWith(`-${name}`));
  if (own !== undefined && own !== of)
    return [`of: expected "${own}", the evaluation named in your instructions, got "${of}".`];
  const other = Object.entries(state.current?.results ?? {}).find(
    ([name, { produced }]) => name !== (sub ?? '') && produced?.kind === 'examination' && ofOf(produced.value) === of,
  );
  return other
    ? [`of: "${of}" was examined by ${other[0]} already; examine the evaluation named in your instructions.`]
    : [];
}

function ofOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'of' in value ? value.of : undefined;
}

function citations(research: Research, snapshot: RepositorySnapshot): string[] {
  const facts = { ...repositoryFacts(snapshot), asked: new Set<string>(), answered: new Set<string>() };
  return [...missingFindings(research, facts), ...wideFindings(research), ...foreignFindings(research, facts)];
}
