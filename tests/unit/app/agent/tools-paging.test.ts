/** What is longer than a result can be read on. */
import { expect, test } from 'vitest';
import { resultLimit } from '../../../../src/app/agent/tool.ts';
import { ask, gitlab, state } from '../../../helpers/agent-tools.ts';
import { discussion, issue, note, people } from '../../../helpers/fakes/strict-gitlab.ts';

test('a description, from a character on', async () => {
  const description = `${'a'.repeat(70_000)}THE END`;
  const source = gitlab({ issue: async () => ({ ...issue(), description }) });

  const first = (await ask({ gitlab: source }, 'item_read')).value;
  const rest = (await ask({ gitlab: source }, 'item_read', { from: first.description.length })).value;

  expect(first.description.length).toBeLessThan(resultLimit);
  expect(first.description + rest.description).toBe(description);
});

test('discussions, from a note on', async () => {
  const notes = Array.from({ length: 40 }, (_, index) =>
    note(people.alice, `${index} ${'x'.repeat(3000)}`, { id: index }),
  );
  const source = gitlab({ discussions: async () => [discussion('d1', ...notes)] });

  const first = (await ask({ gitlab: source }, 'discussions_read')).value.notes;
  const second = (await ask({ gitlab: source }, 'discussions_read', { from: first.length + 1 })).value.notes;

  expect(second[0].id).toBe(first.length);
});

test('a report, from a character on', async () => {
  const text = `${'r'.repeat(70_000)}THE END`;
  const context = { state: state({ reports: { 'plan.md': text } }) };

  const first = (await ask(context, 'report_read', { file: 'plan.md' })).value.text;
  const rest = (await ask(context, 'report_read', { file: 'plan.md', from: first.length })).value.text;

  expect(first + rest).toBe(text);
});
