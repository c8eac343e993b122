import { expect, test } from 'vitest';
import { runAgent } from '../../../../src/app/agent/run-agent.ts';
import { agentInput, echoCall, echoTool } from '../../../helpers/agent-input.ts';
import { ask, gitlab } from '../../../helpers/agent-tools.ts';
import { createFakeModel } from '../../../helpers/fakes/model.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';
import { issue } from '../../../helpers/fakes/strict-gitlab.ts';

const TOKEN = ['glpat', 'AbCdEfGhIjKlMnOp1234'].join('-');
const KEY_LINES = ['MHcCAQEEIIGLabcdefgh', 'oAoGCCqGSM49AwEHoUQD', 'QgAEabcdefghijklmnop'];
const repository = createFakeSnapshot({
  '.env': 'REGION=eu-west\nMODE=fast\n',
  'src/key.ts': [
    'export const KEY = `',
    '-----BEGIN EC PRIVATE KEY-----',
    ...KEY_LINES,
    '-----END EC PRIVATE KEY-----',
    '`;',
  ].join('\n'),
  'src/db.ts': "connect('postgres://app:hunter2@db/app');\n",
});

test('a file of variables is read without its values', async () => {
  const { value } = await ask({ repository }, 'repo_read', { path: '.env' });
  expect(value.text).toBe('REGION=[redacted]\nMODE=[redacted]');
});

test('lines from the middle of a key say nothing of it, and keep their numbers', async () => {
  const { value, output } = await ask({ repository }, 'repo_read', { path: 'src/key.ts', startLine: 4, endLine: 7 });
  expect(value).toMatchObject({ startLine: 4, endLine: 7, text: '\n\n-----END EC PRIVATE KEY-----\n`;' });
  for (const line of KEY_LINES) expect(output).not.toContain(line);
});

test.each([
  ['hunter2', "1: connect('postgres://app:[redacted password]@db/app');"],
  ['MODE', '2: MODE=[redacted]'],
  ['oAoGCCq', '4: '],
  ['export', '1: export const KEY = `'],
])('a search for %s shows no secret', async (query, excerpt) => {
  const { value } = await ask({ repository }, 'repo_search', { query });
  expect(value.hits.map((hit: { excerpt: string }) => hit.excerpt)).toEqual([excerpt]);
});

test.each([
  ['by its name', { pattern: 'MODE' }, [{ path: '.env', line: 2, text: 'MODE=[redacted]' }]],
  ['by its value', { pattern: 'fast' }, []],
  ['by the beginning of its value', { pattern: 'MODE=f' }, []],
  ['by an expression that guesses', { pattern: '^MODE=f', regexp: true }, []],
  [
    'beside what is no secret',
    { pattern: 'export const' },
    [{ path: 'src/key.ts', line: 1, text: 'export const KEY = `' }],
  ],
])('a line with a secret is found %s only as far as it is shown', async (_how, input, hits) => {
  const { value } = await ask({ repository }, 'repo_find', input);
  expect(value.hits).toEqual(hits);
});

test('a use of a name is shown without the secret beside it', async () => {
  const { value, output } = await ask({ repository }, 'repo_references', { name: 'connect' });
  expect(value.references).toHaveLength(1);
  expect(output).toContain('[redacted password]');
  expect(output).not.toContain('hunter2');
});

test('item and discussion are read without secrets', async () => {
  const { output } = await ask(
    { gitlab: gitlab({ issue: async () => issue({ description: `Use ${TOKEN}.` }) }) },
    'item_read',
  );
  expect(output).toContain('Use [redacted GitLab token].');
  expect(output).not.toContain(TOKEN);
});

test('an error of a tool tells none', async () => {
  const { output } = await ask({ repository }, 'repo_read', { path: TOKEN });
  expect(output).not.toContain(TOKEN);
});

test('neither prompt, history nor a tool that does not look carries one to the model, nor does its answer carry one back', async () => {
  const loud = { ...echoTool(), run: async () => ({ output: JSON.stringify({ token: TOKEN }), isError: false }) };
  const model = createFakeModel({ toolCalls: [echoCall(TOKEN, 'a')] }, { text: `Take ${TOKEN}.` });

  const outcome = await runAgent(
    agentInput(model, {
      prompt: `Answer of alice: ${TOKEN}`,
      history: [{ role: 'user', text: `Before: ${TOKEN}` }],
      instructions: `You know ${TOKEN}.`,
      tools: [loud],
    }),
  );

  expect(JSON.stringify(model.requests)).not.toContain(TOKEN);
  expect(model.requests).toHaveLength(2);
  expect(outcome).toMatchObject({ ok: true, output: 'Take [redacted GitLab token].' });
});

test('what is sent is the same from step to step', async () => {
  const model = createFakeModel({ toolCalls: [echoCall('x')] }, { text: 'Done.' });

  await runAgent(agentInput(model, { prompt: `Use ${TOKEN}.`, tools: [echoTool()] }));

  const [first, second] = model.requests;
  expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
});
