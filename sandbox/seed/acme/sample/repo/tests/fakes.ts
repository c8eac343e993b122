import type { Money } from '../src/domain/money.ts';
import type { Order } from '../src/domain/order.ts';
import type { Notifier } from '../src/notifications/notifier.ts';
import type { PaymentService } from '../src/services/payment-service.ts';
import type { CustomerStore } from '../src/store/customer-store.ts';
import type { OrderStore } from '../src/store/order-store.ts';

export function sampleOrder(changes: Partial<Order> = {}): Order {
  return {
    id: '1',
    number: '2026-000001',
    customerId: 'c1',
    status: 'placed',
    lines: [{ sku: 'mug', title: 'Mug', quantity: 2, unitPrice: { cents: 900, currency: 'EUR' } }],
    total: { cents: 1800, currency: 'EUR' },
    shippingAddress: { name: 'A. Customer', street: 'Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    paymentId: null,
    placedAt: new Date('2026-01-05T10:00:00Z'),
    canceledAt: null,
    cancelReason: null,
    ...changes,
  };
}

export function fakeOrderStore(orders: Order[]): OrderStore {
  const page = ({ after = '', limit }: { after?: string | undefined; limit: number }): Order[] =>
    orders.filter((order) => order.id > after).slice(0, limit);
  return {
    find: async (id) => orders.find((order) => order.id === id) ?? null,
    list: async (query) => page(query),
    listBetween: async (query) => page(query),
    insert: async () => sampleOrder(),
    update: async (id, changes) => ({ ...(orders.find((order) => order.id === id) ?? sampleOrder()), ...changes }),
  };
}

export function fakeCustomerStore(): CustomerStore {
  return { find: async () => null, save: async (customer) => customer };
}

export function fakePayments(): PaymentService & { refunds: { paymentId: string; amount: Money }[] } {
  const refunds: { paymentId: string; amount: Money }[] = [];
  return {
    refunds,
    authorize: async () => 'pay-1',
    refund: async (paymentId, amount) => void refunds.push({ paymentId, amount }),
  };
}

export function fakeNotifier(): Notifier & { sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    orderPlaced: () => void sent.push('orderPlaced'),
    orderCanceled: () => void sent.push('orderCanceled'),
    orderShipped: () => void sent.push('orderShipped'),
    orderDelivered: () => void sent.push('orderDelivered'),
  };
}
