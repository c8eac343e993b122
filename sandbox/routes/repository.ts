import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireCode } from '../access.ts';
import { archiveStream } from '../archive.ts';
import type { SandboxDeps } from '../deps.ts';
import { commitEntity, projectUrl } from '../entities.ts';
import { badRequest, notFound, notGiven } from '../errors.ts';
import { foldersOf, objectId, type TreeEntry } from '../git.ts';
import type { Commit, Project, RepoFile } from '../model.ts';
import { addressWith, paginate, perPageOf } from '../paging.ts';
import { cleanPath, historyOf, listTree, resolveRef, touches } from '../repository.ts';
import { actorOf, params, projectOf } from '../request.ts';

/** Tree, files, commits, branches and archives. */
export function repositoryRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  const base = '/projects/:id/repository';

  function codeOf(request: FastifyRequest): Project {
    const project = projectOf(state, request);
    requireCode(project, actorOf(request));
    return project;
  }

  app.get(`${base}/tree`, (request, reply) => {
    const project = codeOf(request);
    const fields = params(request);
    const commit = resolveRef(project, fields.text('ref') ?? '');
    if (!commit) throw notFound('Tree');
    const path = cleanPath(fields.text('path') ?? '');
    const folders = foldersOf(commit);
    if (!folders.has(path)) throw notFound('Tree');
    const all = listTree(folders, path, fields.flag('recursive') ?? false);
    const entity = ({ id, name, type, path: full, mode }: TreeEntry): object => ({ id, name, type, path: full, mode });
    if (fields.text('pagination') === 'none') return all.map(entity);
    if (fields.text('pagination') !== 'keyset') return paginate(request, reply, all).map(entity);
    return keysetPage(request, reply, all).map(entity);
  });

  /** GitLab's keyset paging of trees: only a `next` link, its token is the id of the last entry given. */
  function keysetPage(request: FastifyRequest, reply: FastifyReply, all: TreeEntry[]): TreeEntry[] {
    const token = params(request).text('page_token');
    const tokenOf = (entry: TreeEntry): string => createHash('sha1').update(`${entry.path}:${entry.id}`).digest('hex');
    const before = token ? all.findIndex((entry) => tokenOf(entry) === token || entry.id === token) : -1;
    if (token && before < 0) throw badRequest('page_token is invalid: no entry has it');
    const page = all.slice(before + 1, before + 1 + perPageOf(request));
    const last = page.at(-1);
    reply.header('x-per-page', String(perPageOf(request)));
    if (last && last !== all.at(-1)) {
      reply.header('link', `<${addressWith(request, { page_token: tokenOf(last) })}>; rel="next"`);
    }
    return page;
  }

  function fileOf(request: FastifyRequest): { project: Project; commit: Commit; path: string; file: RepoFile } {
    const project = codeOf(request);
    const commit = resolveRef(project, params(request).text('ref') ?? '');
    if (!commit) throw notFound('Commit');
    const path = params(request).part('path');
    const file = commit.files.get(path);
    if (!file) throw notFound('File');
    return { project, commit, path, file };
  }

  app.get(`${base}/files/:path/raw`, (request, reply) => {
    const { path, file, commit } = fileOf(request);
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(path.split('/').at(-1) ?? '')}`)
      .header('x-gitlab-blob-id', objectId('blob', file.bytes))
      .header('x-gitlab-commit-id', commit.id)
      .header('x-gitlab-size', String(file.bytes.length))
      .send(file.bytes);
  });

  app.get(`${base}/files/:path`, (request) => {
    const { project, commit, path, file } = fileOf(request);
    const last = historyOf(project, commit).find((candidate) => touches(project, candidate, path)) ?? commit;
    return {
      file_name: path.split('/').at(-1),
      file_path: path,
      size: file.bytes.length,
      encoding: 'base64',
      content_sha256: createHash('sha256').update(file.bytes).digest('hex'),
      ref: params(request).text('ref') ?? 'HEAD',
      blob_id: objectId('blob', file.bytes),
      commit_id: commit.id,
      last_commit_id: last.id,
      execute_filemode: file.executable,
      content: file.bytes.toString('base64'),
    };
  });

  app.get(`${base}/commits`, (request, reply) => {
    const project = codeOf(request);
    const start = resolveRef(project, params(request).text('ref_name') ?? '');
    if (!start) {
      if (project.branches.size === 0) return paginate(request, reply, []);
      throw notFound('Commit');
    }
    const path = cleanPath(params(request).text('path') ?? '');
    const history = historyOf(project, start).filter((commit) => path === '' || touches(project, commit, path));
    return paginate(request, reply, history).map((commit) => commitEntity(state, project, commit));
  });

  app.get(`${base}/commits/:sha`, (request) => {
    const project = codeOf(request);
    const commit = resolveRef(project, params(request).part('sha'));
    if (!commit) throw notFound('Commit');
    return { ...commitEntity(state, project, commit), status: null, last_pipeline: null };
  });

  function branchEntity(project: Project, name: string, commit: Commit): object {
    return {
      name,
      commit: commitEntity(state, project, commit),
      merged: false,
      protected: name === project.defaultBranch,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: false,
      default: name === project.defaultBranch,
      web_url: `${projectUrl(state, project)}/-/tree/${name}`,
    };
  }

  app.get(`${base}/branches`, (request, reply) => {
    const project = codeOf(request);
    return paginate(request, reply, [...project.branches]).flatMap(([name, id]) => {
      const commit = project.commits.get(id);
      return commit ? [branchEntity(project, name, commit)] : [];
    });
  });
  app.get(`${base}/branches/:branch`, (request) => {
    const project = codeOf(request);
    const name = params(request).part('branch');
    const commit = project.commits.get(project.branches.get(name) ?? '');
    if (!commit) throw notFound('Branch');
    return branchEntity(project, name, commit);
  });

  for (const archive of ['archive', 'archive.tar.gz']) {
    app.get(`${base}/${archive}`, (request, reply) => {
      const project = codeOf(request);
      const ref = params(request).text('sha') ?? '';
      const format = params(request).text('format') ?? 'tar.gz';
      if (format !== 'tar.gz') throw badRequest(`format ${format} is not served: expected tar.gz`);
      const commit = resolveRef(project, ref);
      if (!commit) throw notFound('File');
      const path = cleanPath(params(request).text('path') ?? '');
      const slug = (ref === '' || ref === 'HEAD' ? project.defaultBranch : ref).replaceAll('/', '-');
      const suffix = path === '' ? '' : `-${path.replaceAll('/', '-')}`;
      const folder = `${project.path.split('/').at(-1)}-${slug}-${commit.id}${suffix}`;
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${folder}.tar.gz"`)
        .send(archiveStream(commit, folder, path));
    });
  }

  app.get('/projects/:id/search', (request, reply) => {
    const project = codeOf(request);
    const needle = params(request).text('search')?.toLowerCase();
    if (!needle) throw notGiven('search');
    if (params(request).text('scope') !== 'blobs') throw badRequest('scope is not served: expected blobs');
    const commit = resolveRef(project, params(request).text('ref') ?? '');
    const hits = [...(commit?.files ?? [])].flatMap(([path, file]) => {
      const lines = file.bytes.toString('utf8').split('\n');
      const at = lines.findIndex((line) => line.toLowerCase().includes(needle));
      if (at < 0) return [];
      const data = lines.slice(Math.max(0, at - 1), at + 3).join('\n');
      return [
        {
          basename: path.replace(/\.[^./]+$/, ''),
          data,
          path,
          filename: path,
          id: null,
          ref: commit?.id,
          startline: Math.max(0, at - 1) + 1,
          project_id: project.id,
        },
      ];
    });
    return paginate(request, reply, hits);
  });
}
