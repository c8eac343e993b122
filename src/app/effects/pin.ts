/** The first effect of a run: pins the repository's commit and finds the item's language (spec 2: What agents may read). */
import type { RunEventBody } from '../../domain/run/events.ts';
import type { RunState } from '../../domain/run/state.ts';
import { toInputs } from '../../domain/workplan/answers.ts';
import { languageOf } from '../../domain/workplan/language.ts';
import type { GitLabPort } from '../../ports/gitlab.ts';
import type { RunSettings } from '../../ports/run-store.ts';
import { overOf } from '../item-state.ts';
import { digestOf } from './at-continue.ts';
import { collectAnswers, type RepliesDeps } from './replies.ts';

export interface PinDeps extends RepliesDeps {
  gitlab: RepliesDeps['gitlab'] & Pick<GitLabPort, 'project' | 'issue' | 'headCommit'>;
}

/** Also reads what was answered to an earlier run's questions since it ended (spec 2: Questions and replies). */
export async function pin(
  deps: PinDeps,
  state: RunState,
  settings: RunSettings,
  effectId: string,
  signal: AbortSignal,
): Promise<RunEventBody> {
  const { item } = state;
  if (!item) return { type: 'pinned', effectId, commit: null, language: settings.language };
  const { gitlab } = deps;
  const [project, issue] = await Promise.all([
    gitlab.project(item.projectId, { signal }),
    gitlab.issue(item.projectId, item.iid, { signal }),
  ]);
  if (!project) return failed(effectId, 'project_gone', 'The project is gone, or the bot is no member of it any more.');
  if (!issue) return failed(effectId, 'item_gone', 'The work item is gone, or the bot may not see it.');
  // Closed or moved while the run was being started: the delivery that told of it found no run to end.
  const reason = overOf(issue);
  if (reason !== null) return { type: 'ended', status: 'canceled', reason, message: '', by: null };
  const head =
    project.defaultBranch === null ? null : await gitlab.headCommit(project.id, project.defaultBranch, { signal });
  const auto = settings.language === 'auto';
  const language = auto ? languageOf(issue) : settings.language;
  const carried = state.questions.length > 0 ? await handedOn(deps, state, settings, signal) : {};
  return { type: 'pinned', effectId, commit: head?.id ?? null, language, description: digestOf(issue), ...carried };
}

/** Questions of earlier runs, with their answers as they read now (spec 2: handed to a new one at its start). */
async function handedOn(deps: PinDeps, state: RunState, settings: RunSettings, signal: AbortSignal) {
  const answers = await collectAnswers(deps, state, settings, signal);
  const questions = state.questions.map(({ question }) => question);
  return { answers, inputs: toInputs({ questions, answers, language: state.language }) };
}

function failed(effectId: string, code: string, message: string): RunEventBody {
  return { type: 'pin_failed', effectId, code, message };
}
