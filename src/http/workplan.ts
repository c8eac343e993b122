/** Status and actions of an item (design: HTTP, spec 2: Actions). Permission is checked before 304, 403, 409 and 422. */
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { act } from '../app/actions/act.ts';
import type { ActDeps, ActionResult } from '../app/actions/types.ts';
import { statusUrl } from '../app/addresses.ts';
import { etagOf, readStatus, type StatusDeps } from '../app/status.ts';
import type { ItemVersions } from '../ports/item-versions.ts';
import type { OutboxStore } from '../ports/outbox.ts';
import type { Caller, People } from './people.ts';
import { nothingAt, Problem, statusOfRefusal } from './problem.ts';
import { Accepted, ActionBody, ActionParams, ItemParams, problemsOf, Status } from './schemas.ts';

export interface WorkplanDeps extends ActDeps {
  outbox: Pick<OutboxStore, 'notesOfRun' | 'failures'>;
  turns?: NonNullable<StatusDeps['turns']>;
  /** Absent: an unchanged status is read as a whole, too. */
  versions?: ItemVersions;
  warnings?: NonNullable<StatusDeps['warnings']>;
  budget?: NonNullable<StatusDeps['budget']>;
  people: People;
  /** Without a trailing slash. */
  publicUrl: string;
}

const ITEM = '/projects/:project/issues/:iid/workplan';

const statusSchema = {
  tags: ['workplan'],
  summary: 'Where the plan of an item stands; with If-None-Match 304 when it is unchanged.',
  params: ItemParams,
  response: { 200: Status, ...problemsOf(400, 401, 404, 429, 502, 503) },
};

const actionSchema = {
  tags: ['workplan'],
  summary: 'Takes an action on an item.',
  params: ActionParams,
  body: ActionBody,
  response: { 202: Accepted, ...problemsOf(400, 401, 403, 404, 409, 413, 422, 429, 502, 503) },
};

export function workplanRoutes(deps: WorkplanDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      // Clients name a type also for no body at all; there is nothing to parse then.
      const { headers } = request;
      const length = headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? '0' : '');
      if (length === '0') delete headers['content-type'];
      done();
    });
    // Only JSON is read; fastify would take plain text as well.
    app.removeContentTypeParser('text/plain');
    // After the rate limit, before a body is read: who cannot be told is not listened to.
    app.addHook('preParsing', async (request) => {
      if (!request.is404) await deps.people.caller(request);
    });
    // Every call needs a person (design: HTTP), so who is none learns of no address either; the limit knows no routes here.
    app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request) => {
      await deps.people.caller(request);
      throw nothingAt(request);
    });

    app.get(ITEM, { schema: statusSchema }, async (request, reply) => {
      const { project, iid } = request.params;
      const caller = await deps.people.caller(request);
      const item = await deps.people.mayRead(caller, project, iid);
      const known = request.headers['if-none-match'];
      reply.header('cache-control', 'private, no-cache');
      // Most polls find what they know: then the version alone is read.
      if (known !== undefined && deps.versions) {
        const etag = etagOf(await deps.versions.newest(item.id));
        if (matches(known, etag)) return (reply as FastifyReply).header('etag', etag).code(304).send();
      }
      const run = await deps.store.latestForItem(item.id);
      const etag = etagOf(run);
      reply.header('etag', etag);
      if (matches(known, etag)) return (reply as FastifyReply).code(304).send();
      return readStatus(deps, run);
    });

    app.post(`${ITEM}/:action`, { schema: actionSchema }, async (request, reply) => {
      const { project: path, iid, action } = request.params;
      const caller = await deps.people.caller(request);
      const issue = await deps.people
        .readable(caller, path, iid)
        .catch((error) => refuseGroup(deps, caller, path, error));
      deps.people.mayAct(caller);
      const project = await deps.gitlab.project(issue.projectId);
      if (!project)
        throw new Problem(404, 'not_found', 'The service has no access to this project; add its bot as a member.');
      const { id, username, name } = caller.user;
      const result = await act(deps, {
        action,
        project,
        issue,
        person: { id, username, name },
        via: 'api',
        argument: request.body?.reason ?? '',
        pauseId: request.body?.pauseId ?? null,
        noteId: null,
        cause: { actionKey: null, deliveryId: null },
      });
      return answer(reply, result, statusUrl(deps.publicUrl, path, iid));
    });
  };
}

/** Weak comparison; a list and `*` are understood. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === etag);
}

/** A group's items are refused by name, to whoever may see the group (spec 2: Checks of `plan`); others get the 404. */
async function refuseGroup(deps: WorkplanDeps, caller: Caller, path: string, error: unknown): Promise<never> {
  const hidden = error instanceof Problem && error.status === 404;
  if (hidden && (await deps.people.seesGroup(caller, path)))
    throw new Problem(
      422,
      'group_level_item',
      `"${path}" is a group. Only items that belong to a project can be planned.`,
    );
  throw error;
}

function answer(reply: FastifyReply, result: ActionResult, url: string) {
  switch (result.kind) {
    case 'accepted':
      reply.code(202).header('location', url);
      return { generationStatus: result.status, runId: result.run.id, statusUrl: url };
    case 'refused':
      throw new Problem(statusOfRefusal(result.code), result.code, result.message, {
        runId: result.run?.id ?? null,
        statusUrl: url,
      });
    case 'duplicate':
      throw new Problem(409, 'duplicate', 'This very action was taken before.');
    default:
      return result satisfies never;
  }
}
