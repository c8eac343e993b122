import type { Customer } from '../store/customer-store.ts';

export type TemplateName =
  | 'order_placed'
  | 'order_shipped'
  | 'order_delivered'
  | 'order_canceled_by_customer'
  | 'order_canceled_by_shop';

export interface TemplateValues {
  name: string;
  orderNumber: string;
  orderUrl: string;
  trackingUrl: string;
  reason: string;
}

type Template = { subject: string; text: string };

/** English is complete; a language without a template falls back to it. */
const TEMPLATES: Record<'en', Record<TemplateName, Template>> & Record<'de' | 'ja', Partial<Record<TemplateName, Template>>> = {
  en: {
    order_placed: {
      subject: 'We have your order {orderNumber}',
      text: 'Hello {name},\n\nthank you for your order. You find it at {orderUrl}.\n',
    },
    order_shipped: {
      subject: 'Your order {orderNumber} is on its way',
      text: 'Hello {name},\n\nyou can follow the parcel at {trackingUrl}.\n',
    },
    order_delivered: { subject: 'Your order {orderNumber} has arrived', text: 'Hello {name},\n\nenjoy it!\n' },
    order_canceled_by_customer: {
      subject: 'Order {orderNumber} is canceled',
      text: 'Hello {name},\n\nyou canceled your order. The money is on its way back to you.\n',
    },
    order_canceled_by_shop: {
      subject: 'We had to cancel order {orderNumber}',
      text: 'Hello {name},\n\nwe are sorry: {reason}\nThe money is on its way back to you.\n',
    },
  },
  de: {
    order_placed: {
      subject: 'Ihre Bestellung {orderNumber} ist da',
      text: 'Guten Tag {name},\n\nvielen Dank. Sie finden die Bestellung unter {orderUrl}.\n',
    },
  },
  ja: {
    order_placed: {
      subject: 'ご注文 {orderNumber} を承りました',
      text: '{name} 様\n\nご注文ありがとうございます。詳細: {orderUrl}\n',
    },
  },
};

export function renderTemplate(name: TemplateName, locale: Customer['locale'], values: TemplateValues): Template {
  const template = TEMPLATES[locale][name] ?? TEMPLATES.en[name];
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_match, key: string) => values[key as keyof TemplateValues] ?? '');
  return { subject: fill(template.subject), text: fill(template.text) };
}
