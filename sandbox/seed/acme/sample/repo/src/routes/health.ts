import type { FastifyInstance } from 'fastify';
import type { Database } from '../store/database.ts';

/** The only route that needs no permission. */
export async function healthRoutes(app: FastifyInstance, { database }: { database: Database }): Promise<void> {
  app.get('/healthz', async () => {
    await database.query('select 1');
    return { status: 'ok' };
  });
}
