import { Groups, ProjectMembers, Projects, Users } from '@gitbeaker/rest';
import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { GitLabMember, GitLabPort, GitLabUser } from '../../ports/gitlab.ts';
import { list, one, oneOrNull } from './calls.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { MemberAnswer, ProjectAnswer, UserAnswer } from './schemas.ts';

type PeopleCalls = Pick<
  GitLabPort,
  'me' | 'userOfToken' | 'user' | 'project' | 'groupVisibleTo' | 'member' | 'members'
>;

/** Users, projects, groups and who belongs to them. */
export function peopleCalls(
  service: Resource,
  asPerson: (token: string) => Resource | null,
  clock: Clock,
): PeopleCalls {
  const users = new Users(service);
  const projects = new Projects(service);
  const projectMembers = new ProjectMembers(service);
  let self: GitLabUser | null = null;

  return {
    async me(options) {
      self ??= await one('user', UserAnswer, options, () => users.showCurrentUser());
      return self;
    },
    async userOfToken(token, options) {
      const person = asPerson(token);
      if (!person) return null;
      const work = (): Promise<unknown> => new Users(person).showCurrentUser();
      return oneOrNull('user', UserAnswer, options, work, { personal: true, absent: ['gitlab_unauthorized'] });
    },
    user: (id, options) => oneOrNull('user', UserAnswer, options, () => users.show(id)),
    async project(idOrPath, options) {
      // An empty name would ask for the list of all projects.
      if (idOrPath === '') return null;
      return oneOrNull('project', ProjectAnswer, options, () => projects.show(idOrPath));
    },
    async groupVisibleTo(token, path, options) {
      const person = asPerson(token);
      if (path === '' || !person) return false;
      const GroupAnswer = z.object({ id: z.number() });
      const work = (): Promise<unknown> => new Groups(person).show(path, { withProjects: false });
      const absent = ['gitlab_not_found', 'gitlab_unauthorized', 'gitlab_forbidden'];
      return (await oneOrNull('group', GroupAnswer, options, work, { personal: true, absent })) !== null;
    },
    async member(projectId, userId, options) {
      const work = (): Promise<unknown> => projectMembers.show(projectId, userId, { includeInherited: true });
      const member = await oneOrNull('member', MemberAnswer, options, work);
      return member && today(member, clock);
    },
    async members(projectId, options) {
      const work = (): Promise<unknown> => projectMembers.all(projectId, { includeInherited: true, ...listOptions });
      const members = await list('members', MemberAnswer, options, work, (member) => member.userId);
      return members.map((member) => today(member, clock));
    },
  };
}

/** A membership ends as its day begins (UTC). GitLab takes it out of its lists some time on that day: until then it counts no more here. */
function today({ expiresOn, ...member }: z.infer<typeof MemberAnswer>, clock: Clock): GitLabMember {
  const over = expiresOn !== null && expiresOn <= clock.now().toISOString().slice(0, 10);
  return over ? { ...member, active: false } : member;
}
