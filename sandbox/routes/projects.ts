import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { levelOf, requireLevel } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { projectEntity, projectWithAccess } from '../entities.ts';
import { ApiError, badRequest, notFound, notGiven } from '../errors.ts';
import type { FeatureAccess, Project, Visibility } from '../model.ts';
import { paginate } from '../paging.ts';
import { renameProject } from '../projects.ts';
import { actorOf, type Params, params, projectOf } from '../request.ts';

const OWNER = 50;

function oneOf<T extends string>(fields: Params, name: string, allowed: readonly T[]): T | undefined {
  const value = fields.text(name);
  if (value === undefined) return undefined;
  const known = allowed.find((candidate) => candidate === value);
  if (!known) throw new ApiError(400, { error: `${name} does not have a valid value` });
  return known;
}

/** Projects: reading, settings, renaming, moving to another group, archiving. */
export function projectRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  app.get('/projects', (request, reply) => {
    const user = actorOf(request);
    const membership = params(request).flag('membership') ?? false;
    const visible = state.projects.filter(
      (project) => levelOf(project, user) > 0 || (!membership && project.visibility !== 'private'),
    );
    return paginate(request, reply, visible).map((project) => projectWithAccess(state, project, user));
  });
  app.get('/projects/:id', (request) => projectWithAccess(state, projectOf(state, request), actorOf(request)));

  function rename(project: Project, path: string): void {
    try {
      renameProject(state, project, path);
    } catch (error) {
      throw badRequest(error instanceof Error ? error.message : String(error));
    }
  }

  app.put('/projects/:id', (request) => {
    const project = projectOf(state, request);
    const fields = params(request);
    requireLevel(project, actorOf(request), 40);
    const path = fields.text('path');
    if (path !== undefined || fields.has('visibility')) requireLevel(project, actorOf(request), OWNER);
    const access: readonly FeatureAccess[] = ['enabled', 'private', 'disabled'];
    const visibility = oneOf<Visibility>(fields, 'visibility', ['private', 'internal', 'public']);
    const issues = oneOf(fields, 'issues_access_level', access);
    const repository = oneOf(fields, 'repository_access_level', access);
    if (path !== undefined) rename(project, [...project.path.split('/').slice(0, -1), path].join('/'));
    project.name = fields.text('name') ?? project.name;
    project.description = fields.text('description') ?? project.description;
    project.visibility = visibility ?? project.visibility;
    project.issuesAccess = issues ?? project.issuesAccess;
    project.repositoryAccess = repository ?? project.repositoryAccess;
    request.sandbox.changedId = project.id;
    return projectEntity(state, project);
  });

  app.put('/projects/:id/transfer', (request) => {
    const project = projectOf(state, request);
    requireLevel(project, actorOf(request), OWNER);
    const wanted = params(request).text('namespace');
    if (!wanted) throw notGiven('namespace');
    const group = state.groups.find((known) => known.path === wanted || String(known.id) === wanted);
    if (!group) throw notFound('Namespace');
    rename(project, `${group.path}/${project.path.split('/').at(-1)}`);
    request.sandbox.changedId = project.id;
    return projectEntity(state, project);
  });

  function archive(archived: boolean) {
    return (request: FastifyRequest, reply: FastifyReply) => {
      const project = projectOf(state, request);
      requireLevel(project, actorOf(request), OWNER);
      project.archived = archived;
      request.sandbox.changedId = project.id;
      return reply.code(201).send(projectEntity(state, project));
    };
  }
  app.post('/projects/:id/archive', archive(true));
  app.post('/projects/:id/unarchive', archive(false));
}
