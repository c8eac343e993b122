import type { FastifyInstance } from 'fastify';
import { levelOf, maySeeIssue, maySeeNote } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { actorOf, params } from '../request.ts';

/**
 * The one GraphQL question the stand-in understands: who edited notes last, as
 * `{ [alias:] note(id: "gid://gitlab/Note/1") { … lastEditedBy { … } } … }`, with literal ids. Others get an error.
 */
export function graphqlRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  app.post('/graphql', (request) => {
    if (!state.settings.graphql) throw notFound();
    const user = actorOf(request);
    const query = params(request).text('query') ?? '';
    const asked = [...query.matchAll(/(?:(\w+)\s*:\s*)?\bnote\s*\(\s*id\s*:\s*"gid:\/\/gitlab\/\w*Note\/(\d+)"\s*\)/g)];
    if (asked.length === 0 || !query.includes('lastEditedBy')) {
      return {
        errors: [{ message: 'the sandbox answers only note(id: "gid://gitlab/Note/…") { lastEditedBy { … } }' }],
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
