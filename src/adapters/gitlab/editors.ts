import { PermanentFailure } from '../../ports/failures.ts';
import type { GitLabPort, GitLabUser } from '../../ports/gitlab.ts';
import { one } from './calls.ts';
import type { Resource } from './resource.ts';
import { EditorsAnswer } from './schemas.ts';

type EditorCalls = Pick<GitLabPort, 'lastEditors'>;

/** Notes of one query: what GitLab allows a query to cost carries several times as many. */
const AT_ONCE = 20;
/** For so long nobody asks again where there is no GraphQL at all: a proxy may let it through one day. */
const ABSENT_MS = 300_000;

/** Who edited notes last, which only GraphQL tells. A query changes nothing, but as a POST it is not repeated here. */
export function editorCalls(service: Resource, token: string): EditorCalls {
  const requester = service.requesterFn({
    url: `${service.host}/api`,
    headers: {},
    authHeaders: { 'private-token': async () => token },
    rateLimits: {},
  });

  async function ask(noteIds: readonly number[], signal: AbortSignal | undefined) {
    const notes = noteIds.map((id) => `n${id}: note(id: "gid://gitlab/Note/${id}") { ${FIELDS} }`);
    const work = async (): Promise<unknown> =>
      (await requester.post('graphql', { body: { query: `{ ${notes.join(' ')} }` } })).body;
    const { data } = await one('editors of notes', EditorsAnswer, signal ? { signal } : {}, work);
    return noteIds.flatMap((id): [number, GitLabUser | null][] => {
      const note = data[`n${id}`];
      return note == null ? [] : [[id, userOf(note.lastEditedBy)]];
    });
  }

  let absentUntil = 0;
  return {
    async lastEditors(noteIds, options) {
      if (performance.now() < absentUntil) return null;
      const known = new Map<number, GitLabUser | null>();
      try {
        for (let from = 0; from < noteIds.length; from += AT_ONCE) {
          for (const [id, user] of await ask(noteIds.slice(from, from + AT_ONCE), options?.signal)) known.set(id, user);
        }
      } catch (error) {
        if (!(error instanceof PermanentFailure)) throw error;
        if (error.code === 'gitlab_not_found') absentUntil = performance.now() + ABSENT_MS;
        return null;
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
