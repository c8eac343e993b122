import type { GitLabPort, GitLabUser } from '../../ports/gitlab.ts';
import type { GraphQL } from './graphql.ts';
import { EditorsAnswer } from './schemas.ts';

type EditorCalls = Pick<GitLabPort, 'lastEditors'>;

/** Notes of one query: what GitLab allows a query to cost carries several times as many. */
const AT_ONCE = 20;

/** Who edited notes last, which only GraphQL tells. */
export function editorCalls(graphql: GraphQL): EditorCalls {
  return {
    async lastEditors(noteIds, options) {
      const known = new Map<number, GitLabUser | null>();
      for (let from = 0; from < noteIds.length; from += AT_ONCE) {
        const asked = noteIds.slice(from, from + AT_ONCE);
        const notes = asked.map((id) => `n${id}: note(id: "gid://gitlab/Note/${id}") { ${FIELDS} }`);
        const answer = await graphql.ask('editors of notes', EditorsAnswer, `{ ${notes.join(' ')} }`, options);
        if (answer === null) return null;
        for (const id of asked) {
          const note = answer.data[`n${id}`];
          if (note != null) known.set(id, userOf(note.lastEditedBy));
        }
      }
      return known;
    },
  };
}

const FIELDS = 'lastEditedBy { id username name }';

/** Ids are `gid://gitlab/User/12`; whether it is a bot is not told here. */
function userOf(user: { id: string; username: string; name?: string | null | undefined } | null): GitLabUser | null {
  if (user === null) return null;
  const id = Number(/\d+$/.exec(user.id)?.[0] ?? 0);
  return { id, username: user.username, name: user.name ?? user.username, bot: false };
}
