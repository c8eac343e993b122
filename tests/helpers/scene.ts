/** A project of one's own in the sandbox of a test service, its hook registered, and people who work in it over real HTTP. */

import type { Embedded } from '../../scripts/embedded.ts';
import { ensureHook } from '../../src/app/connect.ts';
import { readStatus, type StatusAnswer } from '../../src/app/status.ts';
import { findMarkers, markerKey } from '../../src/domain/text/marker.ts';
import { openGitLab } from '../../src/wire/infrastructure.ts';
import { createMemoryLog } from './fakes/log.ts';

/** A service that runs, in whatever processes. */
export type SceneService = Pick<Embedded, 'sandbox' | 'infra' | 'apiUrl' | 'config'>;

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of many shapes and fail when a field is not there.
  body: any;
}

export interface SceneNote {
  id: number;
  discussionId: string;
  author: string;
  body: string;
  createdAt: string;
  updatedAt: string;
}

export interface Actor {
  /** GitLab's REST API; `path` below `/projects/ID`. */
  gitlab(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A comment of its own thread; answers the note's id. A text of quick actions only has none. */
  comment(iid: number, body: string, fields?: object): Promise<number>;
  reply(iid: number, discussionId: string, body: string): Promise<number>;
  /** The service's HTTP API: `GET` status without an action, else `POST` the action. */
  status(iid: number, headers?: Record<string, string>): Promise<Answer>;
  act(iid: number, action: string, body?: object): Promise<Answer>;
}

export interface SceneOptions {
  /** Default: a name of its own. */
  path?: string;
  files?: Record<string, string>;
  issues: { title: string; description: string; author?: string }[];
  members?: Record<string, string>;
  visibility?: 'private' | 'internal' | 'public';
  repositoryAccess?: 'enabled' | 'private' | 'disabled';
}

export interface Scene {
  id: number;
  path: string;
  /** `api`: another API of the service than the scene's own. */
  as(username: string, api?: string): Actor;
  /** People's view of the issue: every note in the order of the ids, internal and system ones included. */
  notes(iid: number): SceneNote[];
  /** The service's own notes. */
  ours(iid: number): SceneNote[];
  /** Keys of the markers that stand on the service's notes, sorted; one that stands twice is listed twice. */
  markers(iid: number): string[];
  /** Where the item's plan stands, read from the store. */
  now(iid: number): Promise<StatusAnswer>;
  /** Waits for a status; throws with the last one when it does not come. */
  until(iid: number, wanted: (status: StatusAnswer) => boolean): Promise<StatusAnswer>;
  /** Waits until the status is one of these and everything that people see of it stands on the item. */
  reach(iid: number, ...statuses: StatusAnswer['generationStatus'][]): Promise<StatusAnswer>;
}

/** `alice` is Developer, `bob` Reporter, `carol` Guest, `dave` Planner, `maria` Maintainer; `erin` is no member. */
const MEMBERS = {
  alice: 'Developer',
  bob: 'Reporter',
  carol: 'Guest',
  dave: 'Planner',
  maria: 'Maintainer',
  planwright: 'Developer',
};
const LONGEST_MS = 60_000;
const POLL_MS = 10;
let scenes = 0;

export async function openScene(service: SceneService, options: SceneOptions): Promise<Scene> {
  scenes += 1;
  const { path = `team/scene-${scenes}`, members = MEMBERS, files = {}, issues, visibility = 'private' } = options;
  const { repositoryAccess = 'enabled' } = options;
  const { sandbox, infra, apiUrl } = service;
  const made = await request(
    `${sandbox.url}/_sandbox/projects`,
    'POST',
    {},
    { path, visibility, repositoryAccess, files, members, issues },
  );
  if (made.status !== 201) throw new Error(`The project was not made: ${JSON.stringify(made.body)}`);
  const id: number = made.body.id;
  await addHook(service, id);
  const project = sandbox.state.project(id);

  function issueOf(iid: number) {
    const issue = project.issues.find((known) => known.iid === iid);
    if (!issue) throw new Error(`${path} has no issue ${iid}`);
    return issue;
  }

  function notes(iid: number): SceneNote[] {
    return sandbox.state
      .notesOf(issueOf(iid))
      .map(({ authorId, ...note }) => ({ ...note, author: sandbox.state.user(authorId).username }));
  }

  const ours = (iid: number) => notes(iid).filter((note) => note.author === 'planwright');

  async function now(iid: number): Promise<StatusAnswer> {
    const run = await infra.act.store.latestForItem(issueOf(iid).id);
    return readStatus({ store: infra.act.store, outbox: infra.outbox }, run);
  }

  async function until(iid: number, wanted: (status: StatusAnswer) => boolean): Promise<StatusAnswer> {
    return patiently(async () => {
      const status = await now(iid);
      return { done: wanted(status), value: status };
    });
  }

  async function reach(iid: number, ...statuses: StatusAnswer['generationStatus'][]): Promise<StatusAnswer> {
    await until(iid, (status) => statuses.includes(status.generationStatus));
    await quiet(service);
    return now(iid);
  }

  return {
    id,
    path,
    as: (username, api = apiUrl) => actor(username, { gitlab: sandbox.url, api }, { id, path }),
    notes,
    ours,
    markers: (iid) =>
      ours(iid)
        .flatMap((note) => findMarkers(note.body).map(markerKey))
        .sort(),
    now,
    until,
    reach,
  };
}

/** Registers a hook of the service in the project, by its Maintainer maria; `url` other than the service's own address makes a second one. */
export async function addHook(service: SceneService, projectId: number, url?: string): Promise<void> {
  const { config, apiUrl } = service;
  const maria = openGitLab({ ...config, gitlabToken: 'sandbox-maria' }, createMemoryLog());
  await ensureHook(maria, projectId, {
    url: url ?? `${apiUrl}/webhooks/gitlab`,
    token: config.webhookToken,
    signingToken: config.webhookSigningToken,
  });
  await maria.close();
}

/** Resolves when no hook is under way and neither a delivery nor a note waits. Runs may still be at work. */
export async function quiet(service: SceneService): Promise<void> {
  const { sandbox, infra } = service;
  await patiently(async () => {
    await sandbox.idle();
    const waiting = [await infra.inbox.nextDueInMs(), await infra.outbox.nextDueInMs()];
    return { done: waiting.every((due) => due === null), value: waiting };
  });
}

/** Looks again and again; throws with the last value after a minute or what is given. */
export async function patiently<T>(
  look: () => Promise<{ done: boolean; value: T }>,
  longestMs: number = LONGEST_MS,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const { done, value } = await look();
    if (done) return value;
    if (performance.now() - started > longestMs) throw new Error(`Still ${JSON.stringify(value)?.slice(0, 800)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function request(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function actor(username: string, urls: { gitlab: string; api: string }, project: { id: number; path: string }): Actor {
  const token = { 'private-token': `sandbox-${username}` };
  const item = (iid: number) =>
    `${urls.api}/api/v1/projects/${encodeURIComponent(project.path)}/issues/${iid}/workplan`;

  const gitlab: Actor['gitlab'] = (method, path, body) =>
    request(`${urls.gitlab}/api/v4/projects/${project.id}${path}`, method, token, body);

  async function post(path: string, body: object): Promise<number> {
    const answer = await gitlab('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} as ${username}: ${answer.status}`);
    return answer.body.id;
  }

  return {
    gitlab,
    comment: (iid, body, fields = {}) => post(`/issues/${iid}/notes`, { body, ...fields }),
    reply: (iid, discussionId, body) => post(`/issues/${iid}/discussions/${discussionId}/notes`, { body }),
    status: (iid, headers = {}) => request(item(iid), 'GET', { ...token, ...headers }),
    act: (iid, action, body) => request(`${item(iid)}/${action}`, 'POST', token, body),
  };
}
