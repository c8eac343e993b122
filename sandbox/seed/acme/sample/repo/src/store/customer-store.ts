import type { Database } from './database.ts';

export interface Customer {
  id: string;
  name: string;
  email: string;
  /** Language of the e-mails this customer gets. */
  locale: 'en' | 'de' | 'ja';
  organization: string | null;
}

export interface CustomerStore {
  find(id: string): Promise<Customer | null>;
  save(customer: Customer): Promise<Customer>;
}

export function customerStore(database: Database): CustomerStore {
  return {
    async find(id) {
      const { rows } = await database.query(
        'select id, name, email, locale, organization from customers where id = $1',
        [id],
      );
      return rows[0] ?? null;
    },
    async save({ id, name, email, locale, organization }) {
      await database.query(
        'update customers set name = $2, email = $3, locale = $4, organization = $5 where id = $1',
        [id, name, email, locale, organization],
      );
      return { id, name, email, locale, organization };
    },
  };
}
