import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { canSeeOrder, requirePermission } from '../auth/permissions.ts';
import { notFound } from '../http/errors.ts';
import { PageQuery } from '../http/pagination.ts';
import type { OrderService } from '../services/order-service.ts';

const PlaceOrder = z.object({
  lines: z.array(z.object({ sku: z.string(), quantity: z.number().int().positive() })).min(1),
  shippingAddress: z.object({
    name: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string().length(2),
  }),
});

const CancelOrder = z.object({ reason: z.string().max(500).default('') });

export async function orderRoutes(app: FastifyInstance, { orderService }: { orderService: OrderService }): Promise<void> {
  app.get('/orders', async (request) => {
    requirePermission(request, 'order:read');
    const query = PageQuery.parse(request.query);
    const customerId = request.session?.role === 'customer' ? request.session.userId : undefined;
    return orderService.list({ ...query, customerId });
  });

  app.get<{ Params: { orderId: string } }>('/orders/:orderId', async (request) => {
    requirePermission(request, 'order:read');
    const order = await orderService.get(request.params.orderId);
    // The same answer as for an order that does not exist: its number tells nobody anything.
    if (!order || !request.session || !canSeeOrder(request.session, order)) throw notFound('order');
    return order;
  });

  app.post('/orders', async (request, reply) => {
    requirePermission(request, 'order:place');
    const input = PlaceOrder.parse(request.body);
    const order = await orderService.place({ ...input, customerId: request.session?.userId ?? '' });
    return reply.code(201).send(order);
  });

  app.post<{ Params: { orderId: string } }>('/orders/:orderId/cancel', async (request) => {
    requirePermission(request, 'order:cancel');
    const order = await orderService.get(request.params.orderId);
    if (!order || !request.session || !canSeeOrder(request.session, order)) throw notFound('order');
    const { reason } = CancelOrder.parse(request.body ?? {});
    return orderService.cancel(order, { reason, canceledBy: request.session });
  });
}
