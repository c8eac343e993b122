import type { FastifyBaseLogger } from 'fastify';
import type { TrackingService } from '../services/tracking-service.ts';

/** Asks the carrier every few minutes. Returns what stops it. */
export function startShipmentSync(options: {
  trackingService: TrackingService;
  everyMinutes: number;
  logger: FastifyBaseLogger;
}): () => void {
  const timer = setInterval(async () => {
    try {
      const changed = await options.trackingService.syncShipments();
      options.logger.info({ changed }, 'shipments synchronized');
    } catch (error) {
      options.logger.error({ err: error }, 'shipment sync failed');
    }
  }, options.everyMinutes * 60_000);
  return () => clearInterval(timer);
}
