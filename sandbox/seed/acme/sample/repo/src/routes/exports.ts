import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { requirePermission } from '../auth/permissions.ts';
import type { ExportService } from '../services/export-service.ts';

const ExportQuery = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  status: z.enum(['placed', 'paid', 'shipped', 'delivered', 'canceled']).optional(),
});

/** Downloads for the back office. */
export async function exportRoutes(
  app: FastifyInstance,
  { exportService }: { exportService: ExportService },
): Promise<void> {
  app.get('/exports/orders.csv', async (request, reply) => {
    requirePermission(request, 'export:orders');
    const query = ExportQuery.parse(request.query);
    const rows = exportService.exportOrders(query);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="orders-${query.from}-${query.to}.csv"`)
      .send(Readable.from(rows));
  });
}
