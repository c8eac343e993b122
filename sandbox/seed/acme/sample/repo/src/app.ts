import fastify, { type FastifyInstance } from 'fastify';
import { readSession } from './auth/session.ts';
import type { Config } from './config.ts';
import { answerError } from './http/errors.ts';
import { createMailer } from './notifications/mailer.ts';
import { createNotifier } from './notifications/notifier.ts';
import { customerRoutes } from './routes/customers.ts';
import { exportRoutes } from './routes/exports.ts';
import { healthRoutes } from './routes/health.ts';
import { orderRoutes } from './routes/orders.ts';
import { searchRoutes } from './routes/search.ts';
import { trackingRoutes } from './routes/tracking.ts';
import { createCustomerService } from './services/customer-service.ts';
import { createExportService } from './services/export-service.ts';
import { createOrderService } from './services/order-service.ts';
import { createPaymentService } from './services/payment-service.ts';
import { createSearchService } from './services/search-service.ts';
import { createTrackingService, type TrackingService } from './services/tracking-service.ts';
import { customerStore } from './store/customer-store.ts';
import type { Database } from './store/database.ts';
import { orderStore } from './store/order-store.ts';
import { shipmentStore } from './store/shipment-store.ts';

export interface App {
  app: FastifyInstance;
  trackingService: TrackingService;
}

/** Puts the service together. Tests call it with a database of their own and `app.inject`. */
export function buildApp({ config, database }: { config: Config; database: Database }): App {
  const app = fastify({ logger: { level: config.logLevel } });
  const orders = orderStore(database);
  const customers = customerStore(database);
  const shipments = shipmentStore(database);

  const notifier = createNotifier({ mailer: createMailer(config), customers, publicUrl: config.publicUrl });
  const paymentService = createPaymentService(config);
  const orderService = createOrderService({ orders, customers, paymentService, notifier });
  const trackingService = createTrackingService({ orders, shipments, notifier, carrierUrl: config.carrierUrl });

  app.addHook('onRequest', readSession(config));
  app.setErrorHandler(answerError);

  app.register(healthRoutes, { database });
  app.register(orderRoutes, { orderService });
  app.register(customerRoutes, { customerService: createCustomerService({ customers }) });
  app.register(trackingRoutes, { trackingService, orderService });
  app.register(searchRoutes, { searchService: createSearchService({ database }) });
  app.register(exportRoutes, { exportService: createExportService({ orders, pageSize: config.exportPageSize }) });

  return { app, trackingService };
}
