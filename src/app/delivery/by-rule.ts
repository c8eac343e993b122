/** Plans that a rule of the project's settings asks for (spec 2: `auto_plan`), with the item's author as who acts. */
import { isVetoed } from '../../domain/workplan/labels.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabIssue, GitLabProject } from '../../ports/gitlab.ts';
import { act } from '../actions/act.ts';
import { isOtherBot } from '../bots.ts';
import { overOf } from '../item-state.ts';
import { type AutoPlanRule, readSettings } from '../project-settings.ts';
import type { WayDeps } from './ways.ts';

/** What happened to an item that rules look at. */
export interface Occasion {
  /** It was opened just now; else only rules that name one of `addedLabels` count. */
  opened: boolean;
  addedLabels: readonly string[];
}

/** Does a rule fit, all that it names? Names are compared without regard to case. */
export function fits(
  rule: AutoPlanRule,
  item: Pick<GitLabIssue, 'labels' | 'type'> & { author: string },
  { opened, addedLabels }: Occasion,
): boolean {
  if (rule.author !== undefined && same(rule.author) !== same(item.author)) return false;
  if (rule.type !== undefined && same(rule.type) !== same(item.type)) return false;
  if (rule.label === undefined) return opened;
  const wanted = same(rule.label);
  const isThere = item.labels.some((name) => same(name) === wanted);
  return isThere && (opened || addedLabels.some((name) => same(name) === wanted));
}

/** `test_case` is also written "test case". */
function same(name: string): string {
  return name.trim().toLowerCase().replace(/[ _]+/g, '_');
}

/**
 * Plans an item that fits a rule; null: no rule could fit, and nothing was asked. An item that was ever planned, by whomever, is planned by
 * no rule. A refusal is not told on the item, since nobody asked there for anything: it is logged, and the same rule may come to it again.
 */
export async function planByRule(
  deps: WayDeps,
  issue: GitLabIssue,
  occasion: Occasion,
  deliveryId: string | null,
): Promise<string | null> {
  if (!occasion.opened && occasion.addedLabels.length === 0) return null;
  if (overOf(issue) !== null) return null;
  const project = await deps.gitlab.project(issue.projectId);
  const rules = project ? await rulesOf(deps, project) : [];
  if (!project || rules.length === 0) return null;
  if (isVetoed(issue.labels)) return 'ignored: vetoed';
  if ((await deps.store.latestForItem(issue.id)) !== null) return 'ignored: planned before';
  const [me, author] = await Promise.all([deps.gitlab.me(), deps.gitlab.user(issue.authorId)]);
  if (!author || author.id === me.id || (await isOtherBot(deps.gitlab, author, deps.allowedBots)))
    return 'ignored: bot';
  const item = { ...issue, author: author.username };
  if (!rules.some((rule) => fits(rule, item, occasion))) return null;
  const result = await act(deps, {
    action: 'plan',
    project,
    issue,
    person: { id: author.id, username: author.username, name: author.name },
    via: 'rule',
    argument: '',
    pauseId: null,
    noteId: null,
    cause: { actionKey: `item:${issue.id}/rule/plan`, deliveryId },
  });
  if (result.kind !== 'refused') return `rule: ${result.kind}`;
  const data = { item: issue.reference, author: author.username, code: result.code, message: result.message };
  deps.log.info(data, 'a rule asked for a plan and was refused');
  return `rule: refused: ${result.code}`;
}

/** None where the settings cannot be used: who acts there is told why. */
async function rulesOf(deps: WayDeps, project: GitLabProject): Promise<readonly AutoPlanRule[]> {
  try {
    const read = await readSettings(deps.gitlab, project);
    return read.ok && read.settings.enabled ? read.settings.auto_plan : [];
  } catch (error) {
    if (error instanceof PermanentFailure && error.code !== 'gitlab_unauthorized') return [];
    throw error;
  }
}
