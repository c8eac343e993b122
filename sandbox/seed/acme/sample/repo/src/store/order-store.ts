import type { Address, Order, OrderStatus } from '../domain/order.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from './database.ts';

export interface OrderStore {
  find(id: string): Promise<Order | null>;
  list(query: { limit: number; after?: string | undefined; customerId?: string | undefined }): Promise<Order[]>;
  /** Orders placed in a range of days, both included, ordered by id. */
  listBetween(query: {
    from: string;
    to: string;
    status?: OrderStatus | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<Order[]>;
  insert(input: {
    customerId: string;
    lines: { sku: string; quantity: number }[];
    shippingAddress: Address;
  }): Promise<Order>;
  update(id: string, changes: Partial<Order>): Promise<Order>;
}

const COLUMNS: Record<string, string> = {
  status: 'status',
  paymentId: 'payment_id',
  canceledAt: 'canceled_at',
  cancelReason: 'cancel_reason',
};

export function orderStore(database: Database): OrderStore {
  async function find(id: string): Promise<Order | null> {
    const { rows } = await database.query('select * from orders where id = $1', [id]);
    return rows[0] ? toOrder(rows[0]) : null;
  }

  return {
    find,

    async list({ limit, after = '', customerId = null }) {
      const { rows } = await database.query(
        `select * from orders
          where id > $1 and ($2::text is null or customer_id = $2)
          order by id limit $3`,
        [after, customerId, limit],
      );
      return rows.map(toOrder);
    },

    async listBetween({ from, to, status = null, after = '', limit }) {
      const { rows } = await database.query(
        `select * from orders
          where placed_at >= $1::date and placed_at < $2::date + 1
            and ($3::text is null or status = $3) and id > $4
          order by id limit $5`,
        [from, to, status, after, limit],
      );
      return rows.map(toOrder);
    },

    async insert(input) {
      const { rows } = await database.query('select * from place_order($1, $2, $3)', [
        input.customerId,
        JSON.stringify(input.lines),
        JSON.stringify(input.shippingAddress),
      ]);
      return toOrder(rows[0]);
    },

    async update(id, changes) {
      const names = Object.keys(changes).filter((name) => COLUMNS[name] !== undefined);
      const sets = names.map((name, index) => `${COLUMNS[name]} = $${index + 2}`);
      const values = names.map((name) => changes[name as keyof Order]);
      const { rows } = await database.query(`update orders set ${sets.join(', ')} where id = $1 returning *`, [
        id,
        ...values,
      ]);
      if (!rows[0]) throw notFound('order');
      return toOrder(rows[0]);
    },
  };
}

function toOrder(row: Record<string, never>): Order {
  return {
    id: row['id'],
    number: row['number'],
    customerId: row['customer_id'],
    status: row['status'],
    lines: row['lines'],
    total: { cents: Number(row['total_cents']), currency: row['currency'] },
    shippingAddress: row['shipping_address'],
    paymentId: row['payment_id'],
    placedAt: row['placed_at'],
    canceledAt: row['canceled_at'],
    cancelReason: row['cancel_reason'],
  };
}
