import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requirePermission } from '../auth/permissions.ts';
import type { SearchService } from '../services/search-service.ts';

const SearchQuery = z.object({ q: z.string().trim().min(2), limit: z.coerce.number().int().max(100).default(20) });

export async function searchRoutes(
  app: FastifyInstance,
  { searchService }: { searchService: SearchService },
): Promise<void> {
  app.get('/search/orders', async (request) => {
    requirePermission(request, 'search:orders');
    const { q, limit } = SearchQuery.parse(request.query);
    return { items: await searchService.searchOrders(q, limit) };
  });
}
