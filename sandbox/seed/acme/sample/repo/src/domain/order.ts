import type { Money } from './money.ts';

export type OrderStatus = 'placed' | 'paid' | 'shipped' | 'delivered' | 'canceled';

export interface OrderLine {
  sku: string;
  title: string;
  quantity: number;
  unitPrice: Money;
}

export interface Order {
  id: string;
  /** What customers see, e.g. `2026-000123`. */
  number: string;
  customerId: string;
  status: OrderStatus;
  lines: OrderLine[];
  total: Money;
  shippingAddress: Address;
  paymentId: string | null;
  placedAt: Date;
  canceledAt: Date | null;
  cancelReason: string | null;
}

export interface Address {
  name: string;
  street: string;
  postalCode: string;
  city: string;
  country: string;
}

/** Which status may follow which. Everything else is refused by `changeStatus`. */
const TRANSITIONS: Record<OrderStatus, OrderStatus[]> = {
  placed: ['paid', 'canceled'],
  paid: ['shipped', 'canceled'],
  shipped: ['delivered'],
  delivered: [],
  canceled: [],
};

export function canChangeStatus(from: OrderStatus, to: OrderStatus): boolean {
  return TRANSITIONS[from].includes(to);
}
