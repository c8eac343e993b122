import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import type { Project } from '../model.ts';
import { resolveRef } from '../repository.ts';
import { policy } from './layout.ts';
import { blobPage, homePage, issuePage, missingPage, projectPage } from './views.ts';

interface Shown {
  html: string;
  lineScript?: boolean;
}

/** Read-only pages to look at: projects, issues with their notes, files at a commit. They need no token. */
export function pageRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  function send(reply: FastifyReply, status: number, shown: Shown): FastifyReply {
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy(shown.lineScript ?? false),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .send(shown.html);
  }

  function inProject(project: Project, rest: string): Shown | null {
    if (rest === '' || rest === 'issues') return { html: projectPage(project) };
    const [, iid] = /^(?:issues|work_items)\/(\d+)$/.exec(rest) ?? [];
    const issue = project.issues.find((known) => String(known.iid) === iid);
    if (issue) return { html: issuePage(state, project, issue) };
    const [, ref, path] = /^blob\/([^/]+)\/(.+)$/.exec(rest) ?? [];
    if (ref === undefined || path === undefined) return null;
    const commit = resolveRef(project, ref);
    const file = commit?.files.get(path);
    if (!commit || !file) return null;
    return { html: blobPage(project, commit, path, file.bytes.toString('utf8')), lineScript: true };
  }

  function find(path: string): Shown | null {
    const [projectPath = '', rest = ''] = path.replace(/\/+$/, '').split('/-/', 2);
    const project = state.projects.find((known) => known.path === projectPath);
    return project ? inProject(project, rest) : null;
  }

  app.get('/', (_request, reply) => send(reply, 200, { html: homePage(state) }));
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const found = find(request.params['*']);
    if (found) return send(reply, 200, found);
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    return wantsPage ? send(reply, 404, { html: missingPage() }) : reply.code(404).send({ error: '404 Not Found' });
  });
}
