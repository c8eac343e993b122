/** Who calls, and what they may read (design: HTTP). Tokens are checked with GitLab, remembered by hash, never stored or logged. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import type { GitLabIssue, GitLabPort, GitLabUser } from '../ports/gitlab.ts';
import { Problem } from './problem.ts';

const PERSON_MS = 60_000;
const READ_MS = 60_000;
const REFUSED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

export interface Caller {
  user: GitLabUser;
  token: string;
  /** Of the token; stands for the person in memory. */
  key: string;
}

export interface People {
  /** The person of the request's token; a 401 problem otherwise. */
  caller(request: FastifyRequest): Promise<Caller>;
  /** The issue as that person sees it; the same 404 whether it does not exist or may not be seen (spec 2: Who may). */
  readable(caller: Caller, project: string, iid: number): Promise<GitLabIssue>;
  /** The same from memory where it was asked within a minute, for status polls: id and project only. */
  mayRead(caller: Caller, project: string, iid: number): Promise<{ id: number }>;
}

export function createPeople(deps: { gitlab: GitLabPort; clock: Clock; allowedBots: readonly number[] }): People {
  const persons = remembering<Promise<GitLabUser | null>>(deps.clock);
  const items = remembering<Promise<{ id: number } | null>>(deps.clock);

  async function caller(request: FastifyRequest): Promise<Caller> {
    const token = tokenOf(request);
    if (token === null)
      throw new Problem(
        401,
        'unauthenticated',
        'Send a GitLab token as "Authorization: Bearer TOKEN" or "PRIVATE-TOKEN: TOKEN".',
      );
    const key = createHash('sha256').update(token).digest('base64url');
    const user = await persons.get(
      key,
      (found) => (found ? PERSON_MS : REFUSED_MS),
      () => deps.gitlab.userOfToken(token),
    );
    if (!user) throw new Problem(401, 'unauthenticated', 'GitLab does not accept this token.');
    if (user.bot && !deps.allowedBots.includes(user.id))
      throw new Problem(403, 'bot_not_allowed', `The bot ${user.username} (${user.id}) is not in ALLOWED_BOTS.`);
    return { user, token, key };
  }

  async function readable(person: Caller, project: string, iid: number): Promise<GitLabIssue> {
    const issue = await deps.gitlab.issueAs(person.token, project, iid);
    if (!issue) throw hidden();
    return issue;
  }

  async function mayRead(person: Caller, project: string, iid: number): Promise<{ id: number }> {
    const item = await items.get(
      `${person.key}/${iid}/${project}`,
      (found) => (found ? READ_MS : REFUSED_MS),
      async () => {
        const issue = await deps.gitlab.issueAs(person.token, project, iid);
        return issue && { id: issue.id };
      },
    );
    if (!item) throw hidden();
    return item;
  }

  return { caller, readable, mayRead };
}

function hidden(): Problem {
  return new Problem(404, 'not_found', 'There is no such item, or you may not see it.');
}

function tokenOf(request: FastifyRequest): string | null {
  const own = request.headers['private-token'];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
  const token = typeof own === 'string' && own !== '' ? own : bearer;
  return token !== null && /^[\x21-\x7e]{1,2000}$/.test(token) ? token : null;
}

/** A bounded memory of answers with an age each; a failure is not remembered. */
function remembering<T extends Promise<unknown>>(clock: Clock) {
  const known = new Map<string, { value: T; until: number }>();
  return {
    get(key: string, ageOf: (value: Awaited<T>) => number, ask: () => T): T {
      const now = clock.now().getTime();
      const before = known.get(key);
      if (before && before.until > now) return before.value;
      if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value ?? '');
      const entry = { value: ask(), until: now + REFUSED_MS };
      known.delete(key);
      known.set(key, entry);
      entry.value.then(
        (value) => {
          entry.until = now + ageOf(value as Awaited<T>);
        },
        () => {
          if (known.get(key) === entry) known.delete(key);
        },
      );
      return entry.value;
    },
  };
}
