import { expect, test } from 'vitest';
import { createExportService, csvCell } from '../src/services/export-service.ts';
import { fakeOrderStore, sampleOrder } from './fakes.ts';

async function collect(rows: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('an export begins with the header and has a row an order', async () => {
  const orders = fakeOrderStore([sampleOrder({ id: '1' }), sampleOrder({ id: '2' }), sampleOrder({ id: '3' })]);
  const service = createExportService({ orders, pageSize: 2 });

  const rows = await collect(service.exportOrders({ from: '2026-01-01', to: '2026-01-31' }));

  expect(rows).toHaveLength(4);
  expect(rows[0]).toBe('number,placed_at,status,customer_id,total,country\n');
});

test('a cell that looks like a formula is kept from running', () => {
  expect(csvCell('=1+1')).toBe("'=1+1");
});
