import { notFound } from '../http/errors.ts';
import type { Customer, CustomerStore } from '../store/customer-store.ts';

export interface CustomerService {
  get(id: string): Promise<Customer | null>;
  update(id: string, changes: Partial<Pick<Customer, 'name' | 'email' | 'locale'>>): Promise<Customer>;
}

export function createCustomerService({ customers }: { customers: CustomerStore }): CustomerService {
  return {
    get: (id) => customers.find(id),
    async update(id, changes) {
      const customer = await customers.find(id);
      if (!customer) throw notFound('customer');
      return customers.save({ ...customer, ...changes });
    },
  };
}
