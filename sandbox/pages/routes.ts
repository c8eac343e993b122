import type { FastifyInstance } from 'fastify';
import type { SandboxDeps } from '../deps.ts';

export function pageRoutes(app: FastifyInstance, { state }: SandboxDeps): void {
  app.get('/', () => ({ projects: state.projects.map((project) => project.path) }));
}
