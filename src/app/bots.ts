/** Bots that are not named in the settings never trigger anything and never answer (spec 2: Actions, Eligible replies). */
import type { GitLabPort, GitLabUser } from '../ports/gitlab.ts';

/** Authors of notes and reactions come without the mark of a bot, so the account is asked for; one that is unknown may nothing. */
export async function isOtherBot(
  gitlab: Pick<GitLabPort, 'user'>,
  user: GitLabUser,
  allowedBots: readonly number[],
  options: { signal?: AbortSignal } = {},
): Promise<boolean> {
  if (allowedBots.includes(user.id)) return false;
  return user.bot || ((await gitlab.user(user.id, options))?.bot ?? true);
}
