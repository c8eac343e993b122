import type { Address, Order } from '../domain/order.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { OrderStore } from '../store/order-store.ts';
import type { Shipment, ShipmentStore } from '../store/shipment-store.ts';

/** What the tracking page shows. */
export interface TrackingPage {
  orderNumber: string;
  status: string;
  carrier: string | null;
  parcelNumber: string | null;
  events: { at: Date; place: string; text: string }[];
  shippingAddress: Address;
}

export interface TrackingService {
  trackingPage(order: Order): Promise<TrackingPage>;
  /** Asks the carrier about every parcel under way. Answers how many changed. */
  syncShipments(): Promise<number>;
}

interface Deps {
  orders: OrderStore;
  shipments: ShipmentStore;
  notifier: Notifier;
  carrierUrl: string;
}

export function createTrackingService({ orders, shipments, notifier, carrierUrl }: Deps): TrackingService {
  async function askCarrier(shipment: Shipment): Promise<Shipment> {
    const response = await fetch(`${carrierUrl}/parcels/${shipment.parcelNumber}`);
    if (response.status === 404) return shipment;
    const parcel = (await response.json()) as { events: Shipment['events']; delivered: boolean };
    return { ...shipment, events: parcel.events, delivered: parcel.delivered };
  }

  return {
    async trackingPage(order) {
      const shipment = await shipments.findByOrder(order.id);
      return {
        orderNumber: order.number,
        status: order.status,
        carrier: shipment?.carrier ?? null,
        parcelNumber: shipment?.parcelNumber ?? null,
        events: shipment?.events ?? [],
        // The full address: whoever opens the tracking page today owns the order or works here.
        shippingAddress: order.shippingAddress,
      };
    },

    async syncShipments() {
      let changed = 0;
      for (const shipment of await shipments.listUnderWay()) {
        const fresh = await askCarrier(shipment);
        if (fresh.events.length === shipment.events.length) continue;
        await shipments.save(fresh);
        changed += 1;
        if (!fresh.delivered) continue;
        const order = await orders.update(fresh.orderId, { status: 'delivered' });
        notifier.orderDelivered(order);
      }
      return changed;
    },
  };
}
