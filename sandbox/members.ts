import type { AccessLevel, Group, Project, User } from './model.ts';

export const ROLES: Readonly<Record<string, AccessLevel>> = {
  'minimal access': 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  'security manager': 25,
  developer: 30,
  maintainer: 40,
  owner: 50,
};

/** A role's number by its name in any case; throws with the known names otherwise. */
export function roleLevel(role: string): AccessLevel {
  const level = ROLES[role.toLowerCase()];
  if (!level) throw new Error(`unknown role "${role}": expected one of ${Object.keys(ROLES).join(', ')}`);
  return level;
}

/** Who belongs to a project or a group, by user id: their level, and the day (`2026-01-31`) it ends. */
export interface Roster {
  members: Map<number, AccessLevel>;
  expiries: Map<number, string>;
}

export interface Membership {
  level: AccessLevel;
  expiresAt: string | null;
}

/** The user's membership by the project's own list. */
export function directMembership(roster: Roster, user: User): Membership | null {
  const level = roster.members.get(user.id);
  return level === undefined ? null : { level, expiresAt: roster.expiries.get(user.id) ?? null };
}

/** The highest of the project's own list, the groups above it and the groups invited to it; null for no member. */
export function effectiveMembership(project: Project, user: User): Membership | null {
  const found = [directMembership(project, user)];
  for (const group of project.groups) found.push(directMembership(group, user));
  for (const invitation of project.invitations) {
    const inside = groupMembership(invitation.group, user);
    if (!inside) continue;
    found.push(
      inside.level <= invitation.level ? inside : { level: invitation.level, expiresAt: invitation.expiresAt },
    );
  }
  return highest(found);
}

/** The highest of a group's own list and of the groups above it. */
export function groupMembership(group: Group, user: User): Membership | null {
  return highest([...group.ancestors, group].map((place) => directMembership(place, user)));
}

function highest(found: readonly (Membership | null)[]): Membership | null {
  let best: Membership | null = null;
  for (const membership of found) if (membership && membership.level > (best?.level ?? 0)) best = membership;
  return best;
}

/** Takes out memberships and invitations whose day has come, as GitLab's daily job does. `today`: `2026-01-31`. */
export function dropExpired(places: readonly (Roster & Partial<Pick<Project, 'invitations'>>)[], today: string): void {
  for (const place of places) {
    for (const [userId, day] of place.expiries) {
      if (day > today) continue;
      place.members.delete(userId);
      place.expiries.delete(userId);
    }
    if (place.invitations?.some((invitation) => (invitation.expiresAt ?? '9') <= today)) {
      place.invitations = place.invitations.filter((invitation) => (invitation.expiresAt ?? '9') > today);
    }
  }
}
