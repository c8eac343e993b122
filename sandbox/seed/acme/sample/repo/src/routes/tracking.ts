import type { FastifyInstance } from 'fastify';
import { canSeeOrder, requirePermission } from '../auth/permissions.ts';
import { notFound } from '../http/errors.ts';
import type { OrderService } from '../services/order-service.ts';
import type { TrackingService } from '../services/tracking-service.ts';

interface Deps {
  trackingService: TrackingService;
  orderService: OrderService;
}

/** Where a parcel is. Only for whoever is signed in and may see the order. */
export async function trackingRoutes(app: FastifyInstance, { trackingService, orderService }: Deps): Promise<void> {
  app.get<{ Params: { orderId: string } }>('/orders/:orderId/tracking', async (request) => {
    requirePermission(request, 'tracking:read');
    const order = await orderService.get(request.params.orderId);
    if (!order || !request.session || !canSeeOrder(request.session, order)) throw notFound('order');
    return trackingService.trackingPage(order);
  });
}
