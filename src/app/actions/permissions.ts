/** Who may act (spec 2: Who may). Roles do not add up, so lists are compared, never levels. */
import type { GitLabIssue, GitLabMember, GitLabPort } from '../../ports/gitlab.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { ActionName } from './types.ts';

/** GitLab lets these roles update any item of a project; authors and assignees may update theirs. */
const MAY_UPDATE: readonly string[] = ['Planner', 'Reporter', 'Security Manager', 'Developer', 'Maintainer', 'Owner'];
const GUEST = 10;

export type Permission = { ok: true; role: string } | { ok: false; message: string };

/** Checks one member. `member` null: no member of the project. */
export function mayAct(
  action: ActionName,
  member: GitLabMember | null,
  issue: Pick<GitLabIssue, 'authorId' | 'assigneeIds'>,
  roles: ProjectSettings['roles'],
): Permission {
  if (!member) return { ok: false, message: `Only members of the project may ${action}.` };
  if (!member.active) return { ok: false, message: 'The membership is not active.' };
  const concerned = member.userId === issue.authorId || issue.assigneeIds.includes(member.userId);
  if (!MAY_UPDATE.includes(member.role) && !concerned)
    return {
      ok: false,
      message: `${action} needs the right to update the item; the role ${member.role} has it only for own items.`,
    };
  const planning = action === 'plan' || action === 'replan';
  const list: readonly string[] = planning ? roles.plan : roles.continue;
  if (list.includes(member.role)) return { ok: true, role: member.role };
  if (!planning && concerned && member.accessLevel > GUEST) return { ok: true, role: member.role };
  return { ok: false, message: `${action} needs one of the roles ${list.join(', ')}; yours is ${member.role}.` };
}

/** Membership is read anew for a decision to act, never from a cache. */
export async function checkPermission(
  gitlab: Pick<GitLabPort, 'member'>,
  action: ActionName,
  userId: number,
  issue: GitLabIssue,
  roles: ProjectSettings['roles'],
): Promise<Permission> {
  return mayAct(action, await gitlab.member(issue.projectId, userId), issue, roles);
}
