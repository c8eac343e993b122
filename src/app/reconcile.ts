/**
 * Reconciliation with GitLab (spec 2; facts: webhook rate limits, silent mode and disabled hooks drop events without a trace): in projects where
 * something goes on, what changed is looked at now and then, and what should have been told is put into the inbox as if it had been. So it goes
 * through the same checks and is dropped when it was told before (content and action keys).
 */
import { findMarkers } from '../domain/text/marker.ts';
import { parseCommand } from '../domain/workplan/commands.ts';
import type { Clock } from '../ports/clock.ts';
import { PermanentFailure } from '../ports/failures.ts';
import type { GitLabIssue, GitLabNote, GitLabPort } from '../ports/gitlab.ts';
import type { Delivery, InboxStore } from '../ports/inbox.ts';
import type { Log } from '../ports/log.ts';
import type { HookState, ProjectWatch, WatchedProject } from '../ports/project-watch.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import { isLive } from './actions/plan.ts';
import { contentKeyOf, itemKeyOf } from './delivery/payload.ts';
import { showsRun } from './delivery/status-note.ts';
import { isDue, type Look, type Missing, missingWays, rulesOnce, type WaysDeps } from './reconcile-ways.ts';

export interface ReconcileDeps {
  gitlab: Pick<GitLabPort, 'me' | 'changedIssues' | 'notes' | 'hooks'> & WaysDeps['gitlab'];
  watch: ProjectWatch;
  store: Pick<RunStore, 'latestForItem' | 'byId'>;
  inbox: Pick<InboxStore, 'put'>;
  outbox: WaysDeps['outbox'];
  queue: Pick<RunQueue, 'wakeDeliveries'>;
  clock: Clock;
  log: Log;
  /** Address of the service's webhook, as it stands in the hook. */
  hookUrl: string;
  /** How often a project is looked at, milliseconds. */
  everyMs: number;
}

/** Projects a pass, and changed items a look: what is left comes with the next. */
const PROJECTS_AT_ONCE = 5;
const ITEMS_AT_ONCE = 25;
const RECENT_MS = 14 * 86_400_000;
/** An event is given this long to arrive by itself. */
const GRACE_MS = 60_000;
/** Clocks differ, and what is committed late carries an earlier time: so much is looked at twice. */
const OVERLAP_MS = 120_000;
/** A note is written once; one whose times differ by more was edited since, and an edit never acts (spec 2: Actions). */
const SAME_TIME_MS = 1000;

/** Looks at what is due; answers how many events had not been told. */
export async function reconcile(deps: ReconcileDeps, signal: AbortSignal): Promise<number> {
  await deps.watch.learn();
  let missed = 0;
  const due = await deps.watch.take({ limit: PROJECTS_AT_ONCE, everyMs: deps.everyMs, recentMs: RECENT_MS });
  for (const project of due) {
    if (signal.aborted) break;
    // A project that cannot be read must not keep the others waiting.
    missed += await look(deps, project, signal).catch((error) => {
      if (!signal.aborted)
        deps.log.warn({ projectId: project.id, error: String(error) }, 'project could not be reconciled');
      return 0;
    });
  }
  if (missed > 0) await deps.queue.wakeDeliveries();
  return missed;
}

async function look(deps: ReconcileDeps, project: WatchedProject, signal: AbortSignal): Promise<number> {
  const now = deps.clock.now().getTime();
  const hook = await hookOf(deps, project.id, signal);
  warnOfHook(deps.log, project, hook);
  const from = Date.parse(project.seenUntil) - OVERLAP_MS;
  const changed = (await deps.gitlab.changedIssues(project.id, iso(from), { signal })).slice(0, ITEMS_AT_ONCE);
  const old = (time: string): boolean => Date.parse(time) <= now - GRACE_MS;
  const view: Look = { from, old, rules: rulesOnce(deps.gitlab, project.id, signal), signal };
  let missed = 0;
  let found = 0;
  for (const issue of changed)
    for (const { delivery, counts } of await missing(deps, issue, view))
      if ((await deps.inbox.put(delivery)) === 'stored') {
        found += 1;
        if (counts) missed += 1;
      }
  if (missed > 0) deps.log.warn({ projectId: project.id, missed }, 'events were found that no delivery had told');
  const full = changed.length === ITEMS_AT_ONCE;
  const last = Date.parse(changed.at(-1)?.updatedAt ?? '');
  // A full page may end in the overlap: then it must go on all the same.
  const reached = full ? Math.max(last + OVERLAP_MS, from + OVERLAP_MS + 1) : now - GRACE_MS;
  const until = Math.min(reached, now - GRACE_MS);
  const active = changed.some((issue) => Date.parse(issue.updatedAt) > Date.parse(project.seenUntil));
  await deps.watch.looked({ projectId: project.id, seenUntil: iso(until), active, hook, missed: missed > 0 });
  return found;
}

/** What should have been told of an item since then. */
async function missing(deps: ReconcileDeps, issue: GitLabIssue, look: Look): Promise<Missing[]> {
  const { from, old, signal } = look;
  if (issue.state === 'closed' || issue.movedToId !== null) {
    const live = isLive(await deps.store.latestForItem(issue.id));
    return live && old(issue.updatedAt) ? [{ delivery: itemDelivery(issue), counts: true }] : [];
  }
  const me = await deps.gitlab.me({ signal });
  const notes = await deps.gitlab.notes(issue.projectId, issue.iid, { signal });
  const commands = notes
    .filter((note) => Date.parse(note.createdAt) >= from && old(note.createdAt))
    .filter((note) => !note.system && note.author.id !== me.id && parseCommand(note.body, me.username) !== null)
    .filter((note) => Date.parse(note.updatedAt) - Date.parse(note.createdAt) <= SAME_TIME_MS)
    .map((note) => ({ delivery: noteDelivery(issue, note), counts: true }));
  const ours = notes.filter((note) => note.author.id === me.id && isDue(look, note.updatedAt));
  return [...commands, ...(await wrongStatus(deps, issue, ours)), ...(await missingWays(deps, issue, look))];
}

/** Status notes that do not say what their runs say: somebody wrote over them (`delivery/status-repair.ts`). */
async function wrongStatus(deps: ReconcileDeps, issue: GitLabIssue, ours: readonly GitLabNote[]): Promise<Missing[]> {
  const wrong: Missing[] = [];
  for (const note of ours) {
    const runId = findMarkers(note.body).find((fields) => fields['kind'] === 'status')?.['run'];
    const run = runId === undefined ? null : await deps.store.byId(runId);
    if (run && !showsRun(run, note.body, deps.clock.now()))
      wrong.push({ delivery: noteDelivery(issue, note, 'update'), counts: false });
  }
  return wrong;
}

function itemDelivery(issue: GitLabIssue): Delivery {
  const { iid, projectId, id, updatedAt, state } = issue;
  const payload = {
    object_kind: 'issue',
    project: { id: projectId },
    object_attributes: { id, iid, project_id: projectId, action: 'update', state, updated_at: updatedAt },
  };
  return delivery(`reconcile-item-${id}-${updatedAt}`, payload);
}

function noteDelivery(issue: GitLabIssue, note: GitLabNote, action: 'create' | 'update' = 'create'): Delivery {
  const payload = {
    object_kind: 'note',
    project_id: issue.projectId,
    object_attributes: {
      id: note.id,
      note: note.body,
      noteable_type: 'Issue',
      action,
      system: false,
      author_id: note.author.id,
      discussion_id: note.discussionId,
      created_at: note.createdAt,
      updated_at: note.updatedAt,
    },
    issue: { iid: issue.iid, id: issue.id },
  };
  return delivery(`reconcile-note-${note.id}${action === 'create' ? '' : `-${note.updatedAt}`}`, payload);
}

function delivery(id: string, payload: unknown): Delivery {
  const content = contentKeyOf(payload);
  return { id, event: 'Reconciliation', itemKey: itemKeyOf(payload), body: JSON.stringify(payload), content };
}

/** Null when the bot may not read hooks, which takes a Maintainer. */
async function hookOf(deps: ReconcileDeps, projectId: number, signal: AbortSignal): Promise<HookState | null> {
  try {
    const own = (await deps.gitlab.hooks(projectId, { signal })).filter((hook) => hook.url === deps.hookUrl);
    const [first] = own;
    // A hook of the group may serve the project: that there is none here is no warning by itself.
    if (first === undefined) return { state: 'missing', until: null };
    if (own.some((hook) => (hook.alertStatus ?? 'executable') === 'executable')) return { state: 'ok', until: null };
    return { state: 'disabled', until: first.disabledUntil ?? null };
  } catch (error) {
    if (error instanceof PermanentFailure) return null;
    throw error;
  }
}

function warnOfHook(log: Log, project: WatchedProject, hook: HookState | null): void {
  if (hook?.state === 'disabled' && project.hook?.state !== 'disabled') {
    const data = { projectId: project.id, project: project.path, until: hook.until };
    log.warn(data, 'GitLab has disabled the webhook of this project');
  }
  if (hook?.state === 'ok' && project.hook?.state === 'disabled')
    log.info({ projectId: project.id, project: project.path }, 'the webhook of this project works again');
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
