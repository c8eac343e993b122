import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRepository } from '../../../src/adapters/repository/repository.ts';
import type { RepositorySnapshot } from '../../../src/ports/repository.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createSkippingClock } from '../../helpers/fakes/skipping-clock.ts';
import { commitOf, inPieces, repositoryTar } from '../../helpers/repository/tars.ts';

const files = {
  'src/billing/refund-service.ts': `import { money } from '../money.ts';

/** Gives money back. */
export class RefundService {
  async refundOrder(orderId: string): Promise<void> {
    await this.ledger.book(orderId);
  }
}

export const MAX_REFUND = 100;
export const isRefundable = (state: string): boolean => state === 'paid';
export interface Ledger {
  book(id: string): Promise<void>;
}
export type RefundState = 'open' | 'done';
`,
  'src/money.ts': 'export function formatMoney(cents: number): string {\n  return `${cents / 100}`;\n}\n',
  'src/orders.ts':
    "// an order may be refunded: see the service\nexport function listOrders(): string[] {\n  return ['a'];\n}\n",
  'jobs/report.py':
    'LIMIT = 5\n\nclass Report:\n    def build(self):\n        return self.customer_name\n\ndef send_report(to):\n    return to\n',
  'lib/audit.rb': 'module Audit\n  class Entry\n    def write!(line)\n      puts line\n    end\n  end\nend\n',
  'cmd/main.go':
    'package main\n\ntype Server struct {\n\tport int\n}\n\nfunc (s *Server) Listen() {\n}\n\nfunc main() {\n}\n',
  'src/Invoice.java': 'public class Invoice {\n  public String number() {\n    return "1";\n  }\n}\n',
  'migrations/001.sql': 'create table if not exists invoices (\n  id bigint,\n  total bigint\n);\n',
  'docs/設計.md': '# 設計\n\n## 注文の一覧\n\n検索条件は保存される。\n\n## 通知\n\nメールを送る。\n',
  'package-lock.json': '{ "refund": "refund refund refund refund" }\n',
};

let snapshot: RepositorySnapshot;
let close: () => Promise<void>;

beforeEach(async () => {
  const tar = await repositoryTar(files);
  const repository = createRepository({
    archive: async () => inPieces(tar),
    folder: null,
    clock: createSkippingClock(),
    log: createMemoryLog(),
  });
  close = () => repository.close();
  snapshot = await repository.snapshot(1, commitOf('search'));
});
afterEach(() => close());

const found = (query: string): string[] => snapshot.search(query, 10).map(({ path }) => path);

test.each([
  ['refund', 'src/billing/refund-service.ts'],
  ['order refund', 'src/billing/refund-service.ts'],
  ['format', 'src/money.ts'],
  ['formatMoney', 'src/money.ts'],
  ['customer', 'jobs/report.py'],
  ['customer name', 'jobs/report.py'],
  ['customerName', 'jobs/report.py'],
  ['invoices table', 'migrations/001.sql'],
  ['how do we send a report to people?', 'jobs/report.py'],
  ['注文一覧', 'docs/設計.md'],
  ['検索', 'docs/設計.md'],
  ['ﾒｰﾙ', 'docs/設計.md'],
])('%j finds %s first', (query, path) => {
  expect(found(query)[0]).toBe(path);
});

test.each(['', '   ', '"', '* OR NEAR( )', '🙂', "'; drop table files; --"])(
  'a query like %j does no harm',
  (query) => {
    expect(() => snapshot.search(query, 5)).not.toThrow();
    expect(snapshot.fileCount).toBe(Object.keys(files).length);
  },
);

test('what is nowhere is not found', () => {
  expect(found('zeppelin')).toEqual([]);
});

test('shows the best line with its neighbours and falling scores', () => {
  const hits = snapshot.search('refund order', 5);

  expect(hits[0]).toMatchObject({
    path: 'src/billing/refund-service.ts',
    line: 5,
    excerpt: [
      '4: export class RefundService {',
      '5:   async refundOrder(orderId: string): Promise<void> {',
      '6:     await this.ledger.book(orderId);',
    ].join('\n'),
  });
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(hits.length).toBeGreaterThan(1);
});

test('every hit has the line with the words, also those far down', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, number) => [
      `src/module-${number}.ts`,
      `\n\n\nexport const n${number} = zeppelin(${number});\n`,
    ]),
  );
  const tar = await repositoryTar(many);
  const repository = createRepository({
    archive: async () => inPieces(tar),
    folder: null,
    clock: createSkippingClock(),
    log: createMemoryLog(),
  });
  const hits = (await repository.snapshot(1, commitOf('many'))).search('zeppelin', 50);
  await repository.close();

  expect(hits).toHaveLength(50);
  expect(new Set(hits.map(({ line }) => line))).toEqual(new Set([4]));
});

test('gives no more than asked for', () => {
  expect(snapshot.search('refund', 1)).toHaveLength(1);
  expect(snapshot.search('refund', 0)).toEqual([]);
});

test('files written by machines are found by their path, not by their words', () => {
  expect(found('refund')).not.toContain('package-lock.json');
  expect(found('package lock')).toContain('package-lock.json');
});

test.each([
  [
    'src/billing/refund-service.ts',
    [
      'class RefundService 4-8',
      'method refundOrder 5-7',
      'constant MAX_REFUND 10-10',
      'function isRefundable 11-11',
      'interface Ledger 12-14',
      'type RefundState 15-15',
    ],
  ],
  ['jobs/report.py', ['constant LIMIT 1-1', 'class Report 3-5', 'method build 4-5', 'function send_report 7-8']],
  ['lib/audit.rb', ['class Audit 1-7', 'class Entry 2-6', 'method write! 3-5']],
  ['cmd/main.go', ['type Server 3-5', 'method Listen 7-8', 'function main 10-11']],
  ['src/Invoice.java', ['class Invoice 1-5', 'method number 2-4']],
  ['migrations/001.sql', ['table invoices 1-4']],
  ['docs/設計.md', ['heading 設計 1-9', 'heading 注文の一覧 3-5', 'heading 通知 7-9']],
])('the symbols of %s', (path, symbols) => {
  const shown = snapshot.symbolsOf(path).map((hit) => `${hit.kind} ${hit.name} ${hit.startLine}-${hit.endLine}`);

  expect(shown).toEqual(symbols);
});

test('symbols are found by name, the closest first', () => {
  expect(snapshot.symbols('report', 5).map(({ name }) => name)).toEqual(['Report', 'send_report']);
  expect(snapshot.symbols('Refund', 2).map(({ name }) => name)).toEqual(['refundOrder', 'RefundState']);
  expect(snapshot.symbols('', 5)).toEqual([]);
  expect(snapshot.symbols('%', 5)).toEqual([]);
});
