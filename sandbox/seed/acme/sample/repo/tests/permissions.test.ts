import { expect, test } from 'vitest';
import { canSeeOrder, hasPermission } from '../src/auth/permissions.ts';
import { sampleOrder } from './fakes.ts';

test('only managers export', () => {
  expect(hasPermission('manager', 'export:orders')).toBe(true);
  expect(hasPermission('agent', 'export:orders')).toBe(false);
});

test('a customer sees no order of somebody else', () => {
  const order = sampleOrder({ customerId: 'c1' });
  expect(canSeeOrder({ userId: 'c1', role: 'customer' }, order)).toBe(true);
  expect(canSeeOrder({ userId: 'c2', role: 'customer' }, order)).toBe(false);
});
