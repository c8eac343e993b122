/** A bare Fastify route that answers an unchanged status: `node bench/http/bare.ts PORT`. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/api/v1/projects/:project/issues/:iid/workplan', (request, reply) => {
  reply.header('etag', '"1"').header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === '"1"') return reply.code(304).send();
  return reply.send({ generationStatus: 'NOT_STARTED' });
});
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
