import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requirePermission } from '../auth/permissions.ts';
import { notFound } from '../http/errors.ts';
import type { CustomerService } from '../services/customer-service.ts';

const CustomerUpdate = z.object({
  name: z.string().min(1).optional(),
  email: z.email().optional(),
  locale: z.enum(['en', 'de', 'ja']).optional(),
});

export async function customerRoutes(
  app: FastifyInstance,
  { customerService }: { customerService: CustomerService },
): Promise<void> {
  app.get<{ Params: { customerId: string } }>('/customers/:customerId', async (request) => {
    requirePermission(request, 'customer:read');
    const customer = await customerService.get(request.params.customerId);
    if (!customer) throw notFound('customer');
    return customer;
  });

  app.patch<{ Params: { customerId: string } }>('/customers/:customerId', async (request) => {
    requirePermission(request, 'customer:write');
    return customerService.update(request.params.customerId, CustomerUpdate.parse(request.body));
  });
}
