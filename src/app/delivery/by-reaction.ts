/** Actions by a reaction to a status note of the service (spec 2: Actions); reactions to questions are read at Continue. */
import { findMarkers } from '../../domain/text/marker.ts';
import { reactionAction } from '../../domain/workplan/labels.ts';
import type { GitLabIssue, GitLabNote } from '../../ports/gitlab.ts';
import type { DeliveredNote, OutboxKind } from '../../ports/outbox.ts';
import { isOtherBot } from '../bots.ts';
import type { Hint } from './payload.ts';
import { actHeldBack, tellInStatus, type WayDeps } from './ways.ts';

/** Kinds under which a status note may have been recorded, by which of them it was posted. */
const STATUS_KINDS: ReadonlySet<OutboxKind> = new Set(['status', 'cancel', 'notice']);

export function isStatusNote(note: Pick<DeliveredNote, 'kind' | 'runId'>): boolean {
  return note.runId !== null && STATUS_KINDS.has(note.kind);
}

/** Answers in a word what became of it. Note and reaction are read again: one that was taken back by now asks for nothing. */
export async function actByReaction(
  deps: WayDeps,
  hint: Extract<Hint, { kind: 'emoji' }>,
  deliveryId: string,
): Promise<string> {
  const { projectId, iid, noteId, awardId } = hint;
  if (reactionAction(hint.name) === null) return 'ignored: no action';
  const [me, issue, note] = await Promise.all([
    deps.gitlab.me(),
    deps.gitlab.issue(projectId, iid),
    deps.gitlab.note(projectId, iid, noteId),
  ]);
  if (!issue || !note) return 'ignored: note gone';
  if (note.author.id !== me.id) return 'ignored: not a note of the service';
  const runId = await runOfStatusNote(deps, issue, note);
  if (runId === null) return 'ignored: no status note';
  const award = (await deps.gitlab.noteAwards(projectId, iid, noteId)).find((known) => known.id === awardId);
  const action = award && reactionAction(award.name);
  if (!award || !action) return 'ignored: taken back';
  const { user } = award;
  if (user.id === me.id || (await isOtherBot(deps.gitlab, user, deps.allowedBots))) return 'ignored: bot';
  const project = await deps.gitlab.project(projectId);
  if (!project) return 'ignored: item gone';
  const cause = { actionKey: `item:${issue.id}/award:${award.id}/${action}`, deliveryId };
  const result = await actHeldBack(deps, {
    action,
    project,
    issue,
    person: { id: user.id, username: user.username, name: user.name },
    via: 'emoji',
    argument: '',
    pauseId: null,
    noteId: null,
    givenAt: award.createdAt,
    runId,
    cause,
  });
  if (result.kind === 'held_back') await deps.outbox.add([], cause);
  if (result.kind !== 'refused') return result.kind;
  const { code, message } = result;
  await tellInStatus(deps, { issue, runId, who: user.username, given: `:${award.name}:`, code, message }, [], cause);
  return `refused: ${code}`;
}

/**
 * The run whose status note this is, as its delivery was recorded; before that, by the marker of our own note. Null: it is none, or of
 * another item's run.
 */
async function runOfStatusNote(deps: WayDeps, issue: GitLabIssue, note: GitLabNote): Promise<string | null> {
  const recorded = await deps.outbox.noteById(issue.id, note.id);
  if (recorded) return isStatusNote(recorded) ? recorded.runId : null;
  const marked = findMarkers(note.body).find((fields) => fields['kind'] === 'status')?.['run'];
  const run =
    marked === undefined ? null : (await deps.store.runsOfItem(issue.id, 100)).find(({ id }) => id === marked);
  return run?.id ?? null;
}
