/** `plan`: begins a run on an item (spec 2: One flow an item). */
import { loadPiece } from '../../domain/piece/load.ts';
import { reportDirName } from '../../domain/piece/slug.ts';
import type { PieceBundle } from '../../domain/piece/types.ts';
import { isLimited } from '../../domain/run/budget.ts';
import type { RunEventBody } from '../../domain/run/events.ts';
import { initialState } from '../../domain/run/fold.ts';
import { neutralise } from '../../domain/text/clean.ts';
import { languageOf } from '../../domain/workplan/language.ts';
import type { ItemRef } from '../../domain/workplan/people.ts';
import type { GitLabIssue, GitLabProject } from '../../ports/gitlab.ts';
import type { RunRow, RunSettings } from '../../ports/run-store.ts';
import { announce } from '../announce.ts';
import { overOf } from '../item-state.ts';
import { lowerOf, type ProjectSettings } from '../project-settings.ts';
import { RUN_FORMAT } from '../run-format.ts';
import { applyAll } from '../runner/settle.ts';
import { budgetOf, checkPlanBudget, modelsOf } from './budget.ts';
import { carriedQuestions } from './carried.ts';
import { type ActDeps, type ActionRequest, type ActionResult, refuse } from './types.ts';

const LIVE: readonly string[] = ['GENERATING', 'NEEDS_INPUT'];

export function isLive(run: Pick<RunRow, 'status'> | null): boolean {
  return run !== null && LIVE.includes(run.status);
}

export async function planItem(
  deps: ActDeps,
  request: ActionRequest,
  settings: ProjectSettings,
): Promise<ActionResult> {
  const { issue } = request;
  const over = overOf(issue);
  if (over === 'item_moved') return refuse(over, 'The item was moved; plan it where it is now.');
  if (over) return refuse(over, 'The item is closed; reopen it before planning.');
  const bundle = await deps.pieces.load(settings.piece);
  if (!bundle) return refuse('piece_missing', `There is no piece named "${settings.piece}" on this service.`);
  const wrong = checkPiece(deps, bundle);
  if (wrong) return wrong;
  const spent = await checkPlanBudget(deps, issue.projectId, settings);
  if (spent) return spent;
  const held = await deps.lease.acquire(issue.id, deps.operator.leaseMs);
  const lease = held.kind === 'acquired' ? held.lease : null;
  let handedOn = false;
  try {
    const latest = await deps.store.latestForItem(issue.id);
    // The same comment delivered twice is a duplicate, not a refusal: the store knows.
    if (isLive(latest) && request.cause.actionKey === null) return alreadyRunning(latest);
    const outcome = await start(deps, request, settings, bundle, latest, lease?.token ?? null);
    if (outcome.kind === 'duplicate') return { kind: 'duplicate' };
    if (outcome.kind === 'already_running') return alreadyRunning(outcome.run);
    handedOn = true;
    return { kind: 'accepted', status: outcome.run.status, run: outcome.run };
  } finally {
    if (lease && !handedOn) await deps.lease.release(lease);
  }
}

function alreadyRunning(run: RunRow | null): ActionResult {
  return refuse('already_running', 'A plan for this item is already being made.', run);
}

/** A piece that cannot produce a Workplan is refused for items (spec 2: The default piece). */
function checkPiece(deps: Pick<ActDeps, 'pieceOf'>, bundle: PieceBundle): ActionResult | null {
  const piece = deps.pieceOf({ piece: bundle });
  if (!piece) {
    const error = loadPiece(bundle).diagnostics.find((diagnostic) => diagnostic.level === 'error');
    const where = error ? `${error.file}:${error.line}:${error.column} ${error.message}` : 'it has errors';
    return refuse('piece_invalid', `The piece "${bundle.name}" cannot be used: ${where}`);
  }
  const writes = piece.movements.some(
    (movement) => movement.kind === 'action' && movement.action === 'publish_workplan',
  );
  if (writes) return null;
  return refuse(
    'piece_without_workplan',
    `The piece "${bundle.name}" has no movement with the action publish_workplan.`,
  );
}

export function itemRef(project: GitLabProject, issue: GitLabIssue): ItemRef {
  return {
    globalId: issue.id,
    projectId: issue.projectId,
    projectPath: project.path,
    iid: issue.iid,
    title: issue.title,
    webUrl: issue.webUrl,
    reference: `${project.path}#${issue.iid}`,
    ...(issue.confidential ? { confidential: true } : {}),
  };
}

async function start(
  deps: ActDeps,
  request: ActionRequest,
  settings: ProjectSettings,
  piece: PieceBundle,
  latest: RunRow | null,
  leaseToken: string | null,
) {
  const { issue, project, person } = request;
  const at = deps.clock.now().toISOString();
  const item = itemRef(project, issue);
  const id = deps.ids.next();
  const title = neutralise(issue.title, { inline: true });
  const goal = `Plan the work item ${item.reference} "${title}" (${item.webUrl}). Requested by @${person.username}.`;
  const runSettings = runSettingsOf(deps, settings);
  const events: RunEventBody[] = [
    {
      type: 'run_started',
      goal,
      startedBy: person,
      item,
      interactive: settings.interactive,
      reportDir: reportDirName(at, issue.title),
      carried: await carriedQuestions(deps.store, latest),
      language: settings.language === 'auto' ? languageOf(issue) : settings.language,
    },
  ];
  const state = initialState(id);
  applyAll(state, events, at);
  const { row, outbox } = announce(state, events, runSettings);
  const { cause } = request;
  return deps.store.start({
    id,
    item,
    startedBy: person,
    piece,
    settings: runSettings,
    events,
    at,
    row,
    outbox: [...outbox, ...(request.follow ?? [])],
    cause,
    leaseToken,
  });
}

function runSettingsOf(deps: ActDeps, settings: ProjectSettings): RunSettings {
  const { agent, allowedBots, delegate, offered, publicUrl } = deps.operator;
  const budget = budgetOf(deps.operator, settings);
  const maxLiveRuns = lowerOf(settings.max_live_runs, deps.operator.maxLiveRuns ?? null);
  return {
    format: RUN_FORMAT,
    interactive: settings.interactive,
    language: settings.language,
    questionFormat: settings.question_format,
    score: settings.score === 'on',
    provider: deps.operator.provider,
    models: modelsOf(deps.operator, settings),
    timeoutMs: deps.operator.runTimeoutMs,
    roles: settings.roles,
    ...(offered === undefined ? {} : { offered }),
    ...(isLimited(budget.run) || isLimited(budget.day) ? { budget } : {}),
    ...(delegate === undefined ? {} : { delegate }),
    ...(agent === undefined ? {} : { agent }),
    ...(allowedBots === undefined ? {} : { allowedBots: [...allowedBots] }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(maxLiveRuns === null ? {} : { maxLiveRuns }),
    ...(settings.plan_target === 'description' ? { planTarget: 'description' as const } : {}),
  };
}
