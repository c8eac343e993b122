import { expect, test } from 'vitest';
import { placePlan } from '../../../../src/domain/workplan/description.ts';
import { detectLanguage, languageOf } from '../../../../src/domain/workplan/language.ts';

test.each([
  ['en', ''],
  ['en', 'Users should be able to export the list of orders as a file.'],
  ['en', 'Fix la carte'],
  ['en', 'FooBar.baz() x1 y2'],
  ['ja', '注文を CSV でエクスポートできるようにする。'],
  ['ja', 'ユーザー設定の `config.ts` を変更し、API の timeout を設定可能にしたい'],
  ['ja', '要件定義書作成の件'],
  ['zh', '用户可以将订单导出为文件，我们需要支持多种格式。'],
  ['ko', '사용자가 주문 목록을 CSV 파일로 내보낼 수 있어야 한다.'],
  ['ru', 'Пользователи должны иметь возможность выгружать заказы.'],
  ['de', 'Die Nutzer sollen die Liste der Bestellungen als Datei herunterladen können, und das ist nicht schwer.'],
  ['fr', 'Les utilisateurs doivent pouvoir exporter la liste des commandes dans un fichier.'],
  ['es', 'Los usuarios deben poder exportar la lista de pedidos como un archivo, pero no en el fondo.'],
  ['pt', 'Os usuários devem poder exportar a lista de pedidos em um arquivo, mas não é para todos.'],
])('%s: %s', (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});

test('code and links do not count', () => {
  expect(
    detectLanguage(
      'Les utilisateurs et les commandes dans la liste.\n```\nthe of to is in that for it with on\n```\nhttps://the.of.to/is/in/that',
    ),
  ).toBe('fr');
});

test('the language of an item is that of its people, whatever plan stands in its description', () => {
  const description = 'Die Kunden sollen die Bestellung auch ohne Anmeldung sehen und nicht nur mit einem Konto.';
  const english = 'The customers should be able to see it and the plan is for all of them. '.repeat(20);
  const placed = placePlan(description, english);

  expect(placed.kind).toBe('placed');
  expect(languageOf({ title: 'Verfolgung', description: placed.kind === 'placed' ? placed.text : '' })).toBe('de');
});
