import type { Session } from '../auth/session.ts';
import { type Address, canChangeStatus, type Order } from '../domain/order.ts';
import { conflict } from '../http/errors.ts';
import { type Page, toPage } from '../http/pagination.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { CustomerStore } from '../store/customer-store.ts';
import type { OrderStore } from '../store/order-store.ts';
import type { PaymentService } from './payment-service.ts';

export interface OrderService {
  get(id: string): Promise<Order | null>;
  list(query: { limit: number; after?: string | undefined; customerId?: string | undefined }): Promise<Page<Order>>;
  place(input: {
    customerId: string;
    lines: { sku: string; quantity: number }[];
    shippingAddress: Address;
  }): Promise<Order>;
  cancel(order: Order, input: { reason: string; canceledBy: Session }): Promise<Order>;
}

interface Deps {
  orders: OrderStore;
  customers: CustomerStore;
  paymentService: PaymentService;
  notifier: Notifier;
}

export function createOrderService({ orders, paymentService, notifier }: Deps): OrderService {
  return {
    get: (id) => orders.find(id),

    async list({ limit, after, customerId }) {
      const rows = await orders.list({ limit: limit + 1, after, customerId });
      return toPage(rows, limit, (order) => order.id);
    },

    async place(input) {
      const order = await orders.insert(input);
      const paymentId = await paymentService.authorize(order.id, order.total);
      const paid = await orders.update(order.id, { status: 'paid', paymentId });
      notifier.orderPlaced(paid);
      return paid;
    },

    /**
     * Cancels an order that has not left the house and gives the whole amount back. Part of an order can be neither
     * canceled nor returned; after shipping nothing can be undone here.
     */
    async cancel(order, { reason, canceledBy }) {
      if (!canChangeStatus(order.status, 'canceled')) {
        throw conflict('not_cancelable', `an order that is ${order.status} cannot be canceled`);
      }
      if (order.paymentId) await paymentService.refund(order.paymentId, order.total);
      const canceled = await orders.update(order.id, {
        status: 'canceled',
        canceledAt: new Date(),
        cancelReason: reason,
      });
      notifier.orderCanceled(canceled, { byCustomer: canceledBy.role === 'customer' });
      return canceled;
    },
  };
}
