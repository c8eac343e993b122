/**
 * Memberships remembered for minutes, for what is only shown (spec 2: Who may). Nothing is decided by them: who wants to act, and whose answer
 * is handed on, is asked for anew.
 */
import type { Clock } from '../ports/clock.ts';
import type { GitLabMember, GitLabPort } from '../ports/gitlab.ts';

const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 5000;

/** The port, whose `member` is asked once in five minutes a project and person; a failure is not remembered. */
export function rememberMembers<T extends Pick<GitLabPort, 'member'>>(
  gitlab: T,
  clock: Clock,
): T & Pick<GitLabPort, 'member'> {
  const known = new Map<string, { at: number; member: GitLabMember | null }>();
  const member: GitLabPort['member'] = async (projectId, userId, options) => {
    const key = `${projectId}/${userId}`;
    const now = clock.now().getTime();
    const before = known.get(key);
    if (before && now - before.at < REMEMBERED_MS) return before.member;
    const found = await gitlab.member(projectId, userId, options);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, { at: now, member: found });
    return found;
  };
  return { ...gitlab, member };
}
