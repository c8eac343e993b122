/** The health of a worker process over HTTP: liveness, readiness and metrics, nothing else. */
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type HealthDeps, healthRoutes } from './health.ts';
import { answerClientError, answerProblem, installProblems } from './problem.ts';

const NOT_READY = 'The worker does not get its jobs now: the database cannot be reached, or a queue is silent.';

export async function buildWorkerHealth(deps: HealthDeps): Promise<FastifyInstance> {
  const app = Fastify({
    forceCloseConnections: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerProblem(error, request, reply, deps.log);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installProblems(app, deps.log);
  await healthRoutes(app, { notReady: NOT_READY, ...deps });
  await app.ready();
  return app;
}
