import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openScene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('plan and score stand in the description, one note mentions the starter, and the next plan takes the same place', async () => {
  const files = { ...SMALL_FILES, '.gitlab/planwright.yml': 'plan_target: description\n' };
  const scene = await openScene(service, { files, issues: [CLEAR_ISSUE] });
  const description = async () => (await scene.as('alice').gitlab('GET', '/issues/1')).body.description as string;
  const own = CLEAR_ISSUE.description.trimEnd();

  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'COMPLETED');

  const first = await description();
  expect(first.startsWith(`${own}\n\n<!-- planwright:`)).toBe(true);
  expect(first).toMatch(/Readiness[^\n]*\d+/);
  expect(first).not.toContain('@alice');
  const said = scene.ours(1).filter((note) => note.body.includes('kind=plan'));
  expect(said).toHaveLength(1);
  expect(said[0]?.body).toContain('@alice');
  expect(said[0]?.body).not.toContain('### ');

  await scene.as('alice').gitlab('PUT', '/issues/1', { description: `New first line.\n\n${first}\n\nNew last line.` });
  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'COMPLETED');

  const second = await description();
  expect(second.startsWith(`New first line.\n\n${own}`)).toBe(true);
  expect(second.endsWith('\n\nNew last line.')).toBe(true);
  expect(second.match(/## 🧭/g)).toHaveLength(1);
  expect(second).not.toBe(`New first line.\n\n${first}\n\nNew last line.`);
});
