import type { FastifyInstance } from 'fastify';
import { levelOf, maySeeIssue, maySeeNote, maySeeProject } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { User } from '../model.ts';
import { actorOf, params } from '../request.ts';
import type { SandboxState } from '../state.ts';

/**
 * The GraphQL questions the stand-in understands, with literal ids: who edited notes last, as
 * `{ [alias:] note(id: "gid://gitlab/Note/1") { … lastEditedBy { … } } … }`, and what stands above and below an item, as
 * `{ workItem(id: "gid://gitlab/WorkItem/1") { widgets { ... on WorkItemWidgetHierarchy { … } } } }`. Others get an error.
 */
export function graphqlRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  app.post('/graphql', (request) => {
    if (!state.settings.graphql) throw notFound();
    const user = actorOf(request);
    const query = params(request).text('query') ?? '';
    const item = /\bworkItem\s*\(\s*id\s*:\s*"gid:\/\/gitlab\/WorkItem\/(\d+)"\s*\)/.exec(query)?.[1];
    if (item !== undefined && query.includes('WorkItemWidgetHierarchy'))
      return { data: { workItem: hierarchyOf(state, Number(item), user) } };
    const asked = [...query.matchAll(/(?:(\w+)\s*:\s*)?\bnote\s*\(\s*id\s*:\s*"gid:\/\/gitlab\/\w*Note\/(\d+)"\s*\)/g)];
    if (asked.length === 0 || !query.includes('lastEditedBy')) {
      return {
        errors: [
          {
            message:
              'the sandbox answers only note(id: "gid://gitlab/Note/…") { lastEditedBy { … } } and ' +
              'workItem(id: "gid://gitlab/WorkItem/…") { widgets { ... on WorkItemWidgetHierarchy { … } } }',
          },
        ],
      };
    }
    const people = (id: number | null): object | null => {
      if (id === null) return null;
      const { username, name, bot } = state.user(id);
      return { id: `gid://gitlab/User/${id}`, username, name, bot };
    };
    const data: Record<string, unknown> = {};
    for (const [, alias, id] of asked) {
      data[alias ?? 'note'] = null;
      for (const project of state.projects) {
        for (const issue of project.issues) {
          const note = state.notesOf(issue).find((known) => String(known.id) === id);
          if (!note || !maySeeIssue(project, issue, user) || !maySeeNote(project, note, user)) continue;
          if (project.visibility === 'private' && levelOf(project, user) === 0) continue;
          data[alias ?? 'note'] = {
            id: `gid://gitlab/Note/${note.id}`,
            body: note.body,
            system: note.system,
            internal: note.internal,
            createdAt: note.createdAt,
            updatedAt: note.updatedAt,
            lastEditedAt: note.lastEditedById === null ? null : note.updatedAt,
            lastEditedBy: people(note.lastEditedById),
            author: people(note.authorId),
          };
        }
      }
    }
    return { data };
  });
}

/** Null: there is no such item, or the user may not see it; so with what stands above and below. */
function hierarchyOf(state: SandboxState, id: number, user: User): object | null {
  const items = state.projects
    .filter((project) => maySeeProject(project, user))
    .flatMap((project) => project.issues.map((issue) => ({ project, issue })))
    .filter(({ project, issue }) => maySeeIssue(project, issue, user));
  const own = items.find(({ issue }) => issue.id === id);
  if (!own) return null;
  const entity = ({ project, issue }: (typeof items)[number]): object => ({
    id: `gid://gitlab/WorkItem/${issue.id}`,
    iid: String(issue.iid),
    title: issue.title,
    state: issue.state === 'opened' ? 'OPEN' : 'CLOSED',
    confidential: issue.confidential,
    namespace: { fullPath: project.path },
    workItemType: { name: `${issue.issueType.charAt(0).toUpperCase()}${issue.issueType.slice(1)}` },
  });
  const parent = items.find(({ issue }) => issue.id === own.issue.parentId);
  const children = items.filter(({ issue }) => issue.parentId === id);
  const shown = { nodes: children.slice(0, PAGE).map(entity), pageInfo: { hasNextPage: children.length > PAGE } };
  // Each widget answers with its own fields: those that were not asked for are empty.
  const widgets = [{}, { hasChildren: children.length > 0, parent: parent ? entity(parent) : null, children: shown }];
  return { ...entity(own), widgets };
}

/** Most entries of a connection. */
const PAGE = 100;
