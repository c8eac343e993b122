import type { Order } from '../domain/order.ts';
import type { Customer, CustomerStore } from '../store/customer-store.ts';
import type { Mailer } from './mailer.ts';
import { renderTemplate, type TemplateName } from './templates.ts';

/** Tells customers what happens to their orders. Every notification is an e-mail; there is no way to turn one off. */
export interface Notifier {
  orderPlaced(order: Order): void;
  orderCanceled(order: Order, options: { byCustomer: boolean }): void;
  orderShipped(order: Order): void;
  orderDelivered(order: Order): void;
}

interface Deps {
  mailer: Mailer;
  customers: CustomerStore;
  publicUrl: string;
}

export function createNotifier({ mailer, customers, publicUrl }: Deps): Notifier {
  async function notifyCustomer(template: TemplateName, order: Order): Promise<void> {
    const customer: Customer | null = await customers.find(order.customerId);
    if (!customer) return;
    const orderUrl = `${publicUrl}/orders/${order.id}`;
    const { subject, text } = renderTemplate(template, customer.locale, {
      name: customer.name,
      orderNumber: order.number,
      orderUrl,
      trackingUrl: `${orderUrl}/tracking`,
      reason: order.cancelReason ?? '',
    });
    mailer.enqueue({ to: customer.email, subject, text });
  }

  return {
    orderPlaced: (order) => void notifyCustomer('order_placed', order),
    orderShipped: (order) => void notifyCustomer('order_shipped', order),
    orderDelivered: (order) => void notifyCustomer('order_delivered', order),
    orderCanceled(order, { byCustomer }) {
      void notifyCustomer(byCustomer ? 'order_canceled_by_customer' : 'order_canceled_by_shop', order);
    },
  };
}
