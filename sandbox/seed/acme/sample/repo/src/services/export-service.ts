import { formatMoney } from '../domain/money.ts';
import type { Order, OrderStatus } from '../domain/order.ts';
import type { OrderStore } from '../store/order-store.ts';

export interface ExportQuery {
  from: string;
  to: string;
  status?: OrderStatus | undefined;
}

export interface ExportService {
  exportOrders(query: ExportQuery): AsyncIterable<string>;
}

const COLUMNS = ['number', 'placed_at', 'status', 'customer_id', 'total', 'country'] as const;

/** Quotes a cell when it must be, and keeps spreadsheets from running it as a formula. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvRow(order: Order): string {
  const cells: Record<(typeof COLUMNS)[number], string> = {
    number: order.number,
    placed_at: order.placedAt.toISOString(),
    status: order.status,
    customer_id: order.customerId,
    total: formatMoney(order.total),
    country: order.shippingAddress.country,
  };
  return `${COLUMNS.map((column) => csvCell(cells[column])).join(',')}\n`;
}

/**
 * The CSV export of orders. It reads page by page, so memory stays flat, but it has no upper limit: a query over all
 * years sends every order there is.
 */
export function createExportService({ orders, pageSize }: { orders: OrderStore; pageSize: number }): ExportService {
  return {
    async *exportOrders(query) {
      yield `${COLUMNS.join(',')}\n`;
      let after: string | undefined;
      for (;;) {
        const page = await orders.listBetween({ ...query, after, limit: pageSize });
        for (const order of page) yield csvRow(order);
        if (page.length < pageSize) return;
        after = page.at(-1)?.id;
      }
    },
  };
}
