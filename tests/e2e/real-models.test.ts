/** A run whose model answers over real HTTP, through the whole service. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { SMALL_FILES } from '../fixtures/small-project.ts';
import { chatCompletions } from '../helpers/model-servers/chat-completions.ts';
import { type ModelServer, startModelServer } from '../helpers/model-servers/server.ts';
import { openScene, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const PIECE = `name: workplan
max_iterations: 5
movements:
  - name: look
    edit: false
    rules: [{ condition: seen, next: write }]
  - name: write
    action: publish_workplan
    rules: [{ condition: done, next: COMPLETE }, { condition: failed, next: ABORT }]
`;

let server: ModelServer;
let service: TestService;

/** What the model says, one call after the other, over both tests. */
beforeAll(async () => {
  server = await startModelServer(
    chatCompletions,
    { kind: 'answer', calls: [{ id: 'c1', name: 'repo_read', json: '{"path":"README.md"}' }] },
    { kind: 'answer', text: 'It keeps notes. [STEP:0]', usage: { input: 2000, output: 100, cached: 1500 } },
    { kind: 'half', how: 'stalled' },
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'planwright-pieces-'));
  await writeFile(path.join(folder, 'workplan.yaml'), PIECE);
  const { modelProvider, modelId, models } = loadConfig({
    MODEL_PROVIDER: 'compatible',
    MODEL_ID: 'small',
    COMPATIBLE_BASE_URL: server.url,
    MODEL_TABLE: '{"small": {"context": 32000, "price": {"input": 1, "output": 10}}}',
  });
  service = await startTestService({ config: { modelProvider, modelId, models, piecesDir: folder } });
});
afterAll(async () => {
  await service.stop();
  await server.close();
});

async function planned(): Promise<Scene> {
  const issue = { title: 'Look at it', description: 'Look at the notes.', author: 'alice' };
  const scene = await openScene(service, { files: SMALL_FILES, issues: [issue] });
  expect((await scene.as('alice').act(1, 'plan')).status).toBe(202);
  return scene;
}

test('reads with tools, is counted and priced, and says who answered', async () => {
  const scene = await planned();

  // The piece has no planner, so there is nothing to write.
  const ended = await scene.reach(1, 'FAILED');

  expect(JSON.stringify(server.requests[1]?.body)).toContain('A service that keeps notes');
  expect(ended).toMatchObject({ provider: 'compatible:small' });
  const { body } = await scene.as('bob').status(1);
  // 2,100 of input and 120 of output in both calls: 0.0021 + 0.0012.
  expect(body.budget.run).toMatchObject({ tokens: 2220, cachedTokens: 1500, money: 0.0033 });
  const stored = await service.infra.act.store.load(ended.runId ?? '');
  expect(stored?.settings.models).toEqual({ default: 'compatible:small' });
  const metrics = await service.infra.metrics.text();
  expect(metrics).toContain('planwright_model_calls_total{model="compatible:small",outcome="ok"} 2');
});

test('a cancel leaves the call that is under way', async () => {
  const scene = await planned();
  await scene.until(1, (status) => status.movement === 'look');

  expect((await scene.as('alice').act(1, 'cancel')).status).toBe(202);

  await server.left;
  expect(await scene.now(1)).toMatchObject({ generationStatus: 'CANCELED' });
});
