/** Who calls, and what they may read (design: HTTP). Tokens are checked with GitLab, remembered by hash, never stored or logged. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import { PermanentFailure } from '../ports/failures.ts';
import type { GitLabIssue, GitLabPort, GitLabUser } from '../ports/gitlab.ts';
import { Problem } from './problem.ts';
import { remembering } from './remembering.ts';

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
  /** The person of the request's token; a 401 problem otherwise. Asked once a request. */
  caller(request: FastifyRequest): Promise<Caller>;
  /** Stands for the request's person where the token is one that GitLab accepted a moment ago; null otherwise. */
  knownKey(request: FastifyRequest): string | null;
  /** The issue as that person sees it; the same 404 whether it does not exist or may not be seen (spec 2: Who may). */
  readable(caller: Caller, project: string, iid: number): Promise<GitLabIssue>;
  /** The same from memory where it was asked within a minute, for status polls: the id only. */
  mayRead(caller: Caller, project: string, iid: number): Promise<{ id: number }>;
  /** Is it the path of a group that the person may see? */
  seesGroup(caller: Caller, path: string): Promise<boolean>;
  /** Bots act only when they are named in the settings (design: HTTP); a 403 problem otherwise. */
  mayAct(caller: Caller): void;
}

export function createPeople(deps: { gitlab: GitLabPort; clock: Clock; allowedBots: readonly number[] }): People {
  const { gitlab } = deps;
  const memory = { clock: deps.clock, max: MAX_REMEMBERED, waitMs: REFUSED_MS };
  const persons = remembering<GitLabUser | null>(memory);
  const items = remembering<{ id: number } | null>(memory);
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>();
  const sent = new WeakMap<FastifyRequest, { token: string; key: string } | null>();

  /** Read and hashed once a request: several ask for it. */
  function tokenAndKey(request: FastifyRequest): { token: string; key: string } | null {
    const before = sent.get(request);
    if (before !== undefined) return before;
    const token = tokenOf(request);
    const found = token === null ? null : { token, key: keyOf(token) };
    sent.set(request, found);
    return found;
  }

  async function identify(request: FastifyRequest): Promise<Caller> {
    const found = tokenAndKey(request);
    if (found === null)
      throw unauthenticated('Send a GitLab token as "Authorization: Bearer TOKEN" or "PRIVATE-TOKEN: TOKEN".');
    const { token, key } = found;
    const ageOf = (found: GitLabUser | null) => (found ? PERSON_MS : REFUSED_MS);
    const user = await persons.get(key, ageOf, () => userOf(gitlab, token));
    if (!user) throw unauthenticated('GitLab does not accept this token; it needs the scope "read_api" or "api".');
    return { user, token, key };
  }

  /** The token of somebody remembered may have been revoked since: GitLab's 401 is theirs, not ours. */
  async function issueAs(person: Caller, project: string, iid: number): Promise<GitLabIssue | null> {
    if (!isProjectRef(project)) return null;
    try {
      return await gitlab.issueAs(person.token, isNumber(project) ? Number(project) : project, iid);
    } catch (error) {
      if (!isCode(error, 'gitlab_unauthorized')) throw error;
      persons.forget(person.key);
      throw unauthenticated('GitLab does not accept this token any more.');
    }
  }

  return {
    caller(request) {
      const before = callers.get(request);
      if (before) return before;
      const caller = identify(request);
      callers.set(request, caller);
      return caller;
    },
    knownKey(request) {
      const found = tokenAndKey(request);
      return found !== null && persons.peek(found.key) ? found.key : null;
    },
    async readable(person, project, iid) {
      const issue = await issueAs(person, project, iid);
      if (!issue) throw hidden();
      return issue;
    },
    async mayRead(person, project, iid) {
      const ageOf = (found: { id: number } | null) => (found ? READ_MS : REFUSED_MS);
      const item = await items.get(`${person.key}/${iid}/${project}`, ageOf, async () => {
        const issue = await issueAs(person, project, iid);
        return issue && { id: issue.id };
      });
      if (!item) throw hidden();
      return item;
    },
    async seesGroup(person, path) {
      return isProjectRef(path) && !isNumber(path) && (await gitlab.groupVisibleTo(person.token, path));
    },
    mayAct({ user }) {
      if (user.bot && !deps.allowedBots.includes(user.id))
        throw new Problem(403, 'bot_not_allowed', `The bot ${user.username} (${user.id}) is not in ALLOWED_BOTS.`);
    },
  };
}

/** Null also for a token of a blocked user or without the scope: GitLab answers it 403. */
async function userOf(gitlab: GitLabPort, token: string): Promise<GitLabUser | null> {
  try {
    return await gitlab.userOfToken(token);
  } catch (error) {
    if (isCode(error, 'gitlab_forbidden')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof PermanentFailure && error.code === code;
}

function unauthenticated(detail: string): Problem {
  return new Problem(401, 'unauthenticated', detail);
}

function hidden(): Problem {
  return new Problem(404, 'not_found', 'There is no such item, or you may not see it.');
}

/** What GitLab can have as id or path: nothing else is asked for, and it does not exist. */
function isProjectRef(text: string): boolean {
  if (isNumber(text)) return /^[1-9]\d{0,14}$/.test(text);
  return /^[\w.-]+(?:\/[\w.-]+)*$/.test(text) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text);
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

function tokenOf(request: FastifyRequest): string | null {
  const own = request.headers['private-token'];
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
  const token = typeof own === 'string' && own !== '' ? own : bearer;
  return token !== null && /^[\x21-\x7e]{1,2000}$/.test(token) ? token : null;
}
