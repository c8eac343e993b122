/** The actions of a piece that the service does itself (spec 1: `action`). Pure of GitLab: what people see goes through the outbox (D11). */
import type { ActionMovement } from '../../domain/piece/types.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import type { RunState } from '../../domain/run/state.ts';
import { checkWorkplan, failedChecks } from '../../domain/workplan/checks.ts';
import { permalink } from '../../domain/workplan/paths.ts';
import { Workplan } from '../../domain/workplan/schema.ts';
import { computeScore } from '../../domain/workplan/score.ts';
import { Coverage, Defect, Examination, Rubric } from '../../domain/workplan/score-schema.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import type { RunSettings } from '../../ports/run-store.ts';
import { planFacts } from '../plan-facts.ts';

export interface ActionInput {
  effectId: string;
  movement: string;
  action: ActionMovement['action'];
  state: RunState;
  settings: RunSettings;
  /** Does the piece compute a score? Without that the plan stays NOT_EVALUATED, as with `score: off`. */
  scores: boolean;
  snapshot: RepositorySnapshot | null;
  /** The project's web address, for permalinks; null without a repository. */
  projectUrl: string | null;
}

type Finished = Extract<RunEventBody, { type: 'action_finished' }>;

export function performAction(input: ActionInput): Finished {
  switch (input.action) {
    case 'publish_workplan':
      return publishWorkplan(input);
    case 'compute_score':
      return score(input);
    case 'publish_score':
      return input.state.score
        ? finished(input, 'done', 'The score stands in the Workplan note.')
        : finished(input, 'failed', 'There is no score to publish.');
    case 'deliver':
      return finished(input, 'failed', 'Only an execution can be delivered; this run plans.');
    default:
      return input.action satisfies never;
  }
}

function finished(
  input: ActionInput,
  outcome: 'done' | 'failed',
  message: string,
  data: Record<string, unknown> = {},
): Finished {
  return { type: 'action_finished', effectId: input.effectId, movement: input.movement, outcome, message, data };
}

function publishWorkplan(input: ActionInput): Finished {
  const { state, snapshot, projectUrl, settings, scores } = input;
  const parsed = Workplan.safeParse(state.data.workplan);
  if (!parsed.success) return finished(input, 'failed', 'No movement produced a Workplan.');
  const failed = failedChecks(checkWorkplan(parsed.data, planFacts(state, snapshot, projectUrl)));
  if (failed.length > 0) return finished(input, 'failed', failed.map((check) => check.message).join(' '));
  const findings = parsed.data.findings.map((finding) => {
    const { commit, url, ...claim } = finding;
    return snapshot && projectUrl
      ? { ...claim, commit: snapshot.commit, url: permalink(projectUrl, snapshot.commit, claim) }
      : claim;
  });
  const workplan: Workplan = { ...parsed.data, findings };
  return finished(input, 'done', 'The Workplan is written.', { workplan, scoring: settings.score && scores });
}

function score(input: ActionInput): Finished {
  const { state, snapshot } = input;
  if (!state.workplan) return finished(input, 'failed', 'There is no Workplan to score.');
  const rubric = Rubric.safeParse(state.data.score);
  const coverage = Coverage.safeParse(state.data.coverage);
  const falsifier = Defect.safeParse(state.data.defect);
  const result = computeScore({
    rubric: rubric.success ? rubric.data : null,
    coverage: coverage.success ? coverage.data : null,
    falsifier: falsifier.success ? falsifier.data : null,
    examinations: examinations(state),
    checks: checkWorkplan(state.workplan, planFacts(state, snapshot)),
    knownRequirements: state.workplan.requirements.map((requirement) => requirement.id),
    knownUnits: state.workplan.units.map((unit) => unit.id),
  });
  if (!result.ok) return finished(input, 'failed', `No score: ${result.missing.join(', ')} gave no result.`);
  return finished(input, 'done', `Score ${result.score.value}.`, { score: result.score });
}

function examinations(state: RunState): Examination[] {
  return Object.entries(state.data).flatMap(([key, produced]) => {
    if (!key.includes('/')) return [];
    const value = (produced as { kind?: unknown; value?: unknown } | null)?.value;
    const parsed = Examination.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}
