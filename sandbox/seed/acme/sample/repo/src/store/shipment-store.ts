import type { Database } from './database.ts';

export interface Shipment {
  orderId: string;
  carrier: string;
  parcelNumber: string;
  delivered: boolean;
  events: { at: Date; place: string; text: string }[];
}

export interface ShipmentStore {
  findByOrder(orderId: string): Promise<Shipment | null>;
  listUnderWay(): Promise<Shipment[]>;
  save(shipment: Shipment): Promise<void>;
}

const SELECT = `select order_id as "orderId", carrier, parcel_number as "parcelNumber", delivered, events from shipments`;

export function shipmentStore(database: Database): ShipmentStore {
  return {
    async findByOrder(orderId) {
      const { rows } = await database.query(`${SELECT} where order_id = $1`, [orderId]);
      return rows[0] ?? null;
    },
    async listUnderWay() {
      return (await database.query(`${SELECT} where not delivered order by order_id`)).rows;
    },
    async save({ orderId, delivered, events }) {
      await database.query('update shipments set delivered = $2, events = $3 where order_id = $1', [
        orderId,
        delivered,
        JSON.stringify(events),
      ]);
    },
  };
}
