/** Money is a whole number of cents; a float never holds an amount. */
export interface Money {
  cents: number;
  currency: 'EUR' | 'JPY' | 'USD';
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new Error(`cannot add ${b.currency} to ${a.currency}`);
  return { cents: a.cents + b.cents, currency: a.currency };
}

export function formatMoney({ cents, currency }: Money, locale = 'en-GB'): string {
  const digits = currency === 'JPY' ? 0 : 2;
  const value = currency === 'JPY' ? cents : cents / 100;
  return new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: digits }).format(value);
}
