import { Groups, ProjectMembers, Projects, Users } from '@gitbeaker/rest';
import { z } from 'zod';
import type { GitLabPort, GitLabUser } from '../../ports/gitlab.ts';
import { list, one, oneOrNull } from './calls.ts';
import { listOptions } from './lists.ts';
import type { Resource } from './resource.ts';
import { MemberAnswer, ProjectAnswer, UserAnswer } from './schemas.ts';

type PeopleCalls = Pick<
  GitLabPort,
  'me' | 'userOfToken' | 'user' | 'project' | 'groupVisibleTo' | 'member' | 'members'
>;

/** Users, projects, groups and who belongs to them. */
export function peopleCalls(service: Resource, asPerson: (token: string) => Resource | null): PeopleCalls {
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
    member: (projectId, userId, options) =>
      oneOrNull('member', MemberAnswer, options, () =>
        projectMembers.show(projectId, userId, { includeInherited: true }),
      ),
    members: (projectId, options) =>
      list(
        'members',
        MemberAnswer,
        options,
        () => projectMembers.all(projectId, { includeInherited: true, ...listOptions }),
        (member) => member.userId,
      ),
  };
}
