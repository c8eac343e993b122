import { expect, test } from 'vitest';
import { createOrderService } from '../src/services/order-service.ts';
import { fakeCustomerStore, fakeNotifier, fakeOrderStore, fakePayments, sampleOrder } from './fakes.ts';

function setup(order = sampleOrder({ status: 'paid', paymentId: 'pay-1' })) {
  const paymentService = fakePayments();
  const notifier = fakeNotifier();
  const orders = fakeOrderStore([order]);
  const service = createOrderService({ orders, customers: fakeCustomerStore(), paymentService, notifier });
  return { service, paymentService, notifier, order };
}

test('canceling a paid order refunds the whole amount and tells the customer', async () => {
  const { service, paymentService, notifier, order } = setup();

  const canceled = await service.cancel(order, { reason: '', canceledBy: { userId: 'c1', role: 'customer' } });

  expect(canceled.status).toBe('canceled');
  expect(paymentService.refunds).toEqual([{ paymentId: 'pay-1', amount: order.total }]);
  expect(notifier.sent).toEqual(['orderCanceled']);
});

test('a shipped order cannot be canceled', async () => {
  const { service, order } = setup(sampleOrder({ status: 'shipped' }));

  const canceling = service.cancel(order, { reason: '', canceledBy: { userId: 'a1', role: 'agent' } });

  await expect(canceling).rejects.toMatchObject({ code: 'not_cancelable' });
});
