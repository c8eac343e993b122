import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { type Answer, openScene, quiet, request, type Scene } from '../helpers/scene.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let scene: Scene;

beforeAll(async () => {
  service = await startTestService();
  scene = await openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
});
afterAll(() => service.stop());

/** A delivery as GitLab signs it, by default with the service's own secret. */
function deliver(
  body: string,
  options: { secret?: string; age?: number; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const secret = options.secret ?? service.config.webhookSigningToken ?? '';
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1000) - (options.age ?? 0));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return request(
    `${service.apiUrl}/webhooks/gitlab`,
    'POST',
    {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      'x-gitlab-event': 'Note Hook',
      ...options.headers,
    },
    body,
  );
}

/** The delivery of a command that stands on the item, as the sandbox would send it. */
function command(noteId: number): string {
  return JSON.stringify({
    object_kind: 'note',
    project_id: scene.id,
    object_attributes: { id: noteId, noteable_type: 'Issue', note: '/workplan plan', action: 'create' },
    issue: { iid: 1 },
  });
}

async function nothingStarted(): Promise<void> {
  await quiet(service);
  expect((await scene.now(1)).generationStatus).toBe('NOT_STARTED');
}

describe('a delivery that is not authentic', () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

  test('gets 401 and starts nothing', async () => {
    // The note exists and is a command, so that only the signature stands between it and a run.
    const hooks = service.sandbox.state.project(scene.id).hooks.splice(0);
    const note = await scene.as('alice').comment(1, '/workplan plan');
    service.sandbox.state.project(scene.id).hooks.push(...hooks);
    const forged = await deliver(command(note), { secret: other });
    expect(forged).toMatchObject({ status: 401, body: { code: 'bad_signature' } });
    expect((await deliver(command(note), { age: 3600 })).status).toBe(401);
    const bare = { 'webhook-signature': '', 'x-gitlab-token': 'guessed' };
    expect((await deliver(command(note), { headers: bare })).status).toBe(401);
    await nothingStarted();
  });

  test('shows no stack trace', async () => {
    const { body } = await deliver('{', { secret: other });
    expect(JSON.stringify(body)).not.toMatch(/\bat .*\.ts|node_modules/);
  });
});

describe('an authentic delivery that is not for us', () => {
  test.each([
    ['no JSON', 'ping'],
    ['a JSON text', '"note"'],
    ['an array', '[]'],
    ['an event of another kind', '{"object_kind":"pipeline"}'],
    ['nothing', ''],
    ['bytes that are no text', '\u0000\uFFFD'],
  ])('%s: 200, ignored', async (_what, body) => {
    expect(await deliver(body)).toMatchObject({ status: 200, body: { ignored: true } });
  });

  test('a note of a project that does not exist is taken and comes to nothing', async () => {
    const body = JSON.stringify({ ...JSON.parse(command(1)), project_id: 987_654 });
    expect((await deliver(body)).status).toBe(202);
    await nothingStarted();
  });

  test('a note event whose note does not say what the delivery says starts nothing', async () => {
    const note = await scene.as('alice').comment(1, 'Nothing to see here.');
    expect((await deliver(command(note))).status).toBe(202);
    await nothingStarted();
  });
});

test('that the token of the service expires is told in every status and in the metrics', async () => {
  const expiring = {
    object_kind: 'access_token',
    event_name: 'expiring_access_token',
    project: { id: scene.id },
    object_attributes: { id: 25, user_id: 17, name: 'planwright', expires_at: '2099-01-26' },
  };
  const headers = { 'x-gitlab-event': 'Resource Access Token Hook' };
  const other = {
    ...expiring,
    object_attributes: { ...expiring.object_attributes, user_id: 11, expires_at: '2099-01-01' },
  };
  expect((await deliver(JSON.stringify(other), { headers })).status).toBe(202);
  expect((await deliver(JSON.stringify(expiring), { headers })).status).toBe(202);
  await quiet(service);
  const elsewhere = await openScene(service, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
  await elsewhere.as('alice').act(1, 'plan');

  const { body } = await elsewhere.as('alice').status(1);
  const metrics = await request(`${service.apiUrl}/metrics`, 'GET', {});

  expect(body.warnings).toMatchObject([{ code: 'token_expires', message: expect.stringContaining('2099-01-26') }]);
  const day = Date.parse('2099-01-26') / 1000;
  expect(metrics.body).toContain(`planwright_gitlab_token_expires_timestamp_seconds{token="service"} ${day}`);
  await elsewhere.as('alice').act(1, 'cancel');
});

describe('size and addresses', () => {
  test('over 26 MiB: 413', async () => {
    const { status, body } = await deliver(`{"object_kind":"note","pad":"${'x'.repeat(26 * 1024 * 1024)}"}`);
    expect(status).toBe(413);
    expect(body.code).toBe('too_large');
  });

  test('a long URL-encoded project path works end to end', async () => {
    const folders = Array.from({ length: 18 }, (_, index) => `${'group'.repeat(9)}-${index}`);
    const deep = await openScene(service, {
      path: [...folders, 'notes'].join('/'),
      files: SMALL_FILES,
      issues: [CLEAR_ISSUE],
    });
    expect(encodeURIComponent(deep.path).length).toBeGreaterThan(800);
    expect((await deep.as('alice').act(1, 'plan')).status).toBe(202);
    expect((await deep.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
    expect((await deep.as('alice').status(1)).body.generationStatus).toBe('COMPLETED');
  });

  test('a group is refused by name', async () => {
    const group = encodeURIComponent(scene.path.split('/')[0] ?? '');
    const url = `${service.apiUrl}/api/v1/projects/${group}/issues/1/workplan/plan`;
    const answer = await request(url, 'POST', { 'private-token': 'sandbox-alice' });
    expect(answer).toMatchObject({ status: 422, body: { code: 'group_level_item' } });
  });

  test('a call without a token is 401, with an unknown one too', async () => {
    const url = `${service.apiUrl}/api/v1/projects/${scene.id}/issues/1/workplan`;
    expect((await request(url, 'GET', {})).status).toBe(401);
    expect((await request(url, 'GET', { 'private-token': 'sandbox-nobody' })).status).toBe(401);
  });
});
