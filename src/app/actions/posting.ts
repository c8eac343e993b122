/** A pause whose notes are still being posted: which of them stands on the item already. */
import { findMarkers } from '../../domain/text/marker.ts';
import { TransientFailure } from '../../ports/failures.ts';
import type { GitLabNote } from '../../ports/gitlab.ts';
import type { ActDeps, ActionRequest } from './types.ts';

/** A note that GitLab took in before an action was given stands on the item by then. */
const SURELY_MS = 15_000;

/**
 * The first note of the pause, which may stand on the item without anybody having recorded it; null: none stands there, so the action was
 * given before all of them. So a delivery that takes long does not hold back what else is said on the item.
 * @throws TransientFailure `pause_not_posted`: the action was given a moment ago, so a note that is older may still be on its way.
 */
export async function firstNotePosted(
  { gitlab, clock }: Pick<ActDeps, 'gitlab' | 'clock'>,
  { issue, notedAt, givenAt }: Pick<ActionRequest, 'issue' | 'notedAt' | 'givenAt'>,
  pauseId: string,
): Promise<GitLabNote | null> {
  const [me, notes] = await Promise.all([gitlab.me(), gitlab.notes(issue.projectId, issue.iid)]);
  const own = notes.filter((note) => note.author.id === me.id);
  const first = own.find((note) => findMarkers(note.body).some((fields) => fields['pause'] === pauseId));
  if (first) return first;
  const given = notedAt ?? givenAt;
  if (given !== undefined && clock.now().getTime() - Date.parse(given) < SURELY_MS)
    throw new TransientFailure('pause_not_posted', 'The notes of the pause are still being posted.', 1000);
  return null;
}
