import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mayTriage } from '../access.ts';
import type { SandboxDeps } from '../deps.ts';
import { labelEntity } from '../entities.ts';
import { ApiError, badRequest, forbidden, notFound, notGiven } from '../errors.ts';
import { deleteLabel, renameLabel } from '../labels.ts';
import type { Label, Project } from '../model.ts';
import { paginate } from '../paging.ts';
import { actorOf, params, projectOf } from '../request.ts';

/** Labels of a project. They are named by their name or number, in the route or, as in older clients, in a field. */
export function labelRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  const base = '/projects/:id/labels';

  function labelOf(request: FastifyRequest, project: Project): Label {
    const fields = params(request);
    const wanted = fields.part('name') || fields.text('label_id') || fields.text('name') || '';
    const label = project.labels.find((known) => known.name === wanted || String(known.id) === wanted);
    if (!label) throw notFound('Label');
    return label;
  }

  function editable(request: FastifyRequest): Project {
    const project = projectOf(state, request);
    if (!mayTriage(project, actorOf(request))) throw forbidden();
    return project;
  }

  app.get(base, (request, reply) => {
    const project = projectOf(state, request);
    const search = params(request).text('search')?.toLowerCase() ?? '';
    const counted = params(request).flag('with_counts') ?? false;
    const found = project.labels
      .filter((label) => label.name.toLowerCase().includes(search))
      .toSorted((a, b) => a.name.localeCompare(b.name));
    return paginate(request, reply, found).map((label) => {
      if (!counted) return labelEntity(label);
      const carrying = project.issues.filter((issue) => issue.labels.includes(label.name));
      return {
        ...labelEntity(label),
        open_issues_count: carrying.filter((issue) => issue.state === 'opened').length,
        closed_issues_count: carrying.filter((issue) => issue.state === 'closed').length,
        open_merge_requests_count: 0,
      };
    });
  });
  app.get(`${base}/:name`, (request) => labelEntity(labelOf(request, projectOf(state, request))));

  app.post(base, (request, reply) => {
    const project = editable(request);
    const name = params(request).text('name')?.trim();
    const color = params(request).text('color');
    if (!name) throw notGiven('name');
    if (!color) throw notGiven('color');
    if (name.includes(',')) throw new ApiError(400, { message: { title: ['is invalid'] } });
    if (project.labels.some((label) => label.name === name)) {
      throw new ApiError(409, { message: 'Label already exists' });
    }
    const label = state.ensureLabel(project, name, color, params(request).text('description') ?? null);
    request.sandbox.changedId = label.id;
    return reply.code(201).send(labelEntity(label));
  });

  for (const route of [base, `${base}/:name`]) {
    app.put(route, (request) => {
      const project = editable(request);
      const label = labelOf(request, project);
      const fields = params(request);
      const name = fields.text('new_name')?.trim();
      if (!name && !fields.has('color') && !fields.has('description') && !fields.has('priority')) {
        throw badRequest('new_name, color, description, priority are missing: at least one must be given');
      }
      if (name && name !== label.name && project.labels.some((known) => known.name === name)) {
        throw new ApiError(400, { message: { title: ['has already been taken'] } });
      }
      if (name) renameLabel(project, label.name, name);
      label.color = fields.text('color') ?? label.color;
      label.description = fields.text('description') ?? label.description;
      request.sandbox.changedId = label.id;
      return labelEntity(label);
    });
    app.delete(route, (request, reply) => {
      const project = editable(request);
      const label = labelOf(request, project);
      deleteLabel(project, label.name);
      request.sandbox.changedId = label.id;
      return reply.code(204).send();
    });
  }
}
