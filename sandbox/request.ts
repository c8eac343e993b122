import type { FastifyRequest } from 'fastify';
import { requireIssue, requireProject } from './access.ts';
import { ApiError, badRequest, ProjectMoved } from './errors.ts';
import type { AccessToken, Issue, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** What the stand-in notes beside a request: who asks, and what was created or changed (for the journal). */
export interface RequestContext {
  actor: User | null;
  /** Null for the tokens that everybody has. */
  token: AccessToken | null;
  changedId: number | string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    sandbox: RequestContext;
  }
}

/** The fields of query and body (the body wins) and the route's parts, read with a check of their kind. */
export class Params {
  private readonly fields: Record<string, unknown>;
  private readonly parts: Record<string, unknown>;

  constructor(query: unknown, body: unknown, parts: unknown) {
    const plain = (value: unknown): object =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    this.fields = { ...plain(query), ...plain(body) };
    this.parts = { ...plain(parts) };
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  /** A part of the route, decoded. */
  part(name: string): string {
    return String(this.parts[name] ?? '');
  }

  text(name: string): string | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') throw badRequest(`${name} is invalid: expected a text`);
    return String(value);
  }

  /** True, false, or undefined when absent. */
  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw badRequest(`${name} is invalid: expected true or false`);
  }

  /** A list given as an array or as texts between commas; undefined when absent. */
  list(name: string): string[] | undefined {
    const value = this.fields[name] ?? this.fields[`${name}[]`];
    if (value === undefined || value === null) return undefined;
    const items = Array.isArray(value) ? value.map(String) : String(value).split(',');
    return items.map((item) => item.trim()).filter((item) => item !== '');
  }
}

export function params(request: FastifyRequest): Params {
  return new Params(request.query, request.body, request.params);
}

/** The authenticated user of an API request. */
export function actorOf(request: FastifyRequest): User {
  const actor = request.sandbox.actor;
  if (!actor) throw new Error('an API route ran without an authenticated user');
  return actor;
}

/** The project a route names by `:id`, for the one who asks. By a former path GET is sent on, as GitLab does, and all else refused. */
export function projectOf(state: SandboxState, request: FastifyRequest): Project {
  const named = params(request).part('id');
  const project = requireProject(state, actorOf(request), named);
  if (named === String(project.id) || named === project.path) return project;
  if (request.method !== 'GET') {
    throw new ApiError(405, { message: '405 Non GET methods are not allowed for moved projects' });
  }
  throw new ProjectMoved(state.baseUrl + request.url.replace(/\/projects\/[^/?]+/, `/projects/${project.id}`));
}

/** The project and issue a route names by `:id` and `:iid`. */
export function issueOf(state: SandboxState, request: FastifyRequest): { project: Project; issue: Issue } {
  const project = projectOf(state, request);
  return { project, issue: requireIssue(project, actorOf(request), params(request).part('iid')) };
}
