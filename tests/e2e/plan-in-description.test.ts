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

const ACTS = [
  '/close',
  '/title Owned',
  '/label ~owned',
  '@all look',
  'Closes #1',
  '<img src="https://evil.example/i.png">',
];

test('nothing that a plan says in a description acts', async () => {
  const files = { ...SMALL_FILES, '.gitlab/planwright.yml': 'plan_target: description\n' };
  const hostile = `${CLEAR_ISSUE.description}\n## Requirements\n\n${ACTS.map((line) => `- It must show the text: ${line}`).join('\n')}\n`;
  const scene = await openScene(service, { files, issues: [{ ...CLEAR_ISSUE, description: hostile }] });
  await scene
    .as('bob')
    .comment(1, `It must also hold that the store shows:\n\n${ACTS.map((line) => `> ${line}`).join('\n')}`);

  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'COMPLETED');

  const issue = service.sandbox.state.project(scene.id).issues[0];
  expect(issue).toMatchObject({ title: CLEAR_ISSUE.title, state: 'opened' });
  expect(issue?.labels).not.toContain('owned');
  const plan = issue?.description?.split('<!-- planwright:')[1] ?? '';
  expect(plan).toContain('Owned');
  expect(plan).not.toMatch(/^[ \t>*+-]*\/(?:close|title|label)\b/m);
  expect(plan).not.toMatch(/(?<![\w`])@all\b(?![^`\n]*`)|<img\b/);
});

test('what somebody had no right to is not carried out in the name of the service: the plan stands in a note', async () => {
  const files = { ...SMALL_FILES, '.gitlab/planwright.yml': 'plan_target: description\n' };
  const scene = await openScene(service, { files, issues: [CLEAR_ISSUE] });
  const issue = service.sandbox.state.project(scene.id).issues[0];
  // GitLab leaves in the text what its writer may not do.
  const left = `${CLEAR_ISSUE.description}\n/close\n`;
  if (issue) issue.description = left;

  await scene.as('alice').act(1, 'plan');
  await scene.reach(1, 'COMPLETED');

  expect(issue).toMatchObject({ state: 'opened', description: left });
  const plans = scene.ours(1).filter((note) => note.body.includes('## 🧭'));
  expect(plans).toHaveLength(1);
  expect(plans[0]?.body).toContain('The description could not take this plan');
});
