import type { Database } from '../store/database.ts';

export interface SearchHit {
  orderId: string;
  number: string;
  customerName: string;
  placedAt: Date;
}

export interface SearchService {
  searchOrders(text: string, limit: number): Promise<SearchHit[]>;
}

/** Looks for the text anywhere in order numbers and customer names. `like '%…%'` cannot use an index. */
export function createSearchService({ database }: { database: Database }): SearchService {
  return {
    async searchOrders(text, limit) {
      const pattern = `%${text.replace(/[%_\\]/g, (sign) => `\\${sign}`)}%`;
      const { rows } = await database.query(
        `select o.id, o.number, c.name, o.placed_at
           from orders o join customers c on c.id = o.customer_id
          where o.number ilike $1 or c.name ilike $1
          order by o.placed_at desc
          limit $2`,
        [pattern, limit],
      );
      return rows.map((row) => ({
        orderId: row.id,
        number: row.number,
        customerName: row.name,
        placedAt: row.placed_at,
      }));
    },
  };
}
