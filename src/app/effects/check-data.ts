/** Checks of produced data beyond its schema; what fails goes back to the agent (spec 2: Workplan and score, Questions and replies). */
import type { RunState } from '../../domain/run/state.ts';
import { checkWorkplan, failedChecks } from '../../domain/workplan/checks.ts';
import type { Produced } from '../../domain/workplan/data-kinds.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import { planFacts } from './actions.ts';

/** Checks against the repository: a run without a work item (a piece run locally) has none to check against. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['findings_exist', 'files_exist', 'new_files']);

/** Sentences an agent can act on; empty: nothing is wrong. */
export function checkProduced(produced: Produced, state: RunState, snapshot: RepositorySnapshot | null): string[] {
  switch (produced.kind) {
    case 'workplan':
      return failedChecks(checkWorkplan(produced.value, planFacts(state, snapshot)))
        .filter((check) => state.item !== null || !ABOUT_FILES.has(check.code))
        .map((check) => check.message);
    case 'research':
      return snapshot ? produced.value.findings.flatMap((finding) => citation(finding, snapshot)) : [];
    case 'questions': {
      const asked = new Set(state.questions.map(({ question }) => question.id));
      const again = produced.value.questions.filter((question) => asked.has(question.id));
      return again.map(
        ({ id }) => `The question "${id}" was asked before; use questions_read and do not ask it again.`,
      );
    }
    default:
      return [];
  }
}

function citation(
  finding: { path: string; startLine: number; endLine: number },
  snapshot: RepositorySnapshot,
): string[] {
  const { path, startLine, endLine } = finding;
  const file = snapshot.file(path);
  if (!file) return [`The finding cites "${path}", which does not exist at the pinned commit.`];
  if (startLine > endLine || endLine > file.lines)
    return [`The finding cites "${path}" lines ${startLine}-${endLine}, but the file has ${file.lines} lines.`];
  return [];
}
