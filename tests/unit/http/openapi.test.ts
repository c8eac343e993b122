import { expect, test } from 'vitest';
import { createHttp } from './harness.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const child = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);

async function description(): Promise<Json> {
  const http = await createHttp();
  const answered = await http.get('/openapi.json', null);
  expect(answered.status).toBe(200);
  return answered.json ?? {};
}

function operations(document: Json): [string, Json][] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation as Json]),
  );
}

const ITEM_PATH = '/api/v1/projects/{project}/issues/{iid}/workplan';

test('describes every route', async () => {
  const names = operations(await description()).map(([name]) => name);
  expect(names.toSorted()).toEqual(
    [
      `get ${ITEM_PATH}`,
      'get /healthz',
      'get /metrics',
      'get /openapi.json',
      'get /readyz',
      `post ${ITEM_PATH}/{action}`,
      'post /webhooks/gitlab',
    ].toSorted(),
  );
});

test('is well-formed OpenAPI 3.1: path parameters, responses, known security schemes, references that lead somewhere', async () => {
  const document = await description();
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Planwright', version: expect.any(String) } });
  const schemes = Object.keys(child(document, 'components', 'securitySchemes') as Json);
  for (const [name, operation] of operations(document)) {
    const parameters = (operation['parameters'] ?? []) as Json[];
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(
      parameters
        .filter((parameter) => parameter['in'] === 'path' && parameter['required'] === true)
        .map((p) => p['name']),
    ).toEqual(inPath);
    const responses = Object.entries(operation['responses'] as Json);
    expect(responses.length, name).toBeGreaterThan(0);
    for (const [status, response] of responses) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(response, `${name} ${status}`).toMatchObject({ description: expect.any(String) });
    }
    for (const requirement of (operation['security'] ?? []) as Json[])
      expect(Object.keys(requirement).every((scheme) => schemes.includes(scheme))).toBe(true);
  }
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g))
    expect(child(document, ...(reference ?? '').split('/')), reference).toBeDefined();
});

test('says what goes in and comes out of the API, problems included', async () => {
  const document = await description();
  const status = child(document, 'paths', ITEM_PATH, 'get');
  const action = child(document, 'paths', `${ITEM_PATH}/{action}`, 'post');
  const shape = child(status, 'responses', '200', 'content', 'application/json', 'schema', 'properties');
  expect(Object.keys(shape as Json)).toEqual(
    expect.arrayContaining(['generationStatus', 'questions', 'answers', 'workplan', 'score']),
  );
  expect(
    child(action, 'responses', '409', 'content', 'application/problem+json', 'schema', 'properties', 'code'),
  ).toMatchObject({ type: 'string' });
  expect(Object.keys(child(action, 'responses') as Json)).toEqual([
    '202',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '422',
    '429',
    '502',
    '503',
  ]);
  expect(child(action, 'requestBody', 'required')).not.toBe(true);
  expect((child(action, 'parameters') as Json[]).map(({ name, schema }) => [name, (schema as Json)['type']])).toEqual([
    ['project', 'string'],
    ['iid', 'integer'],
    ['action', 'string'],
  ]);
});

test('says which GitLab is served, by which clients cut its path off', async () => {
  const { gitlab } = await createHttp();
  expect(child(await description(), 'externalDocs', 'url')).toBe(gitlab.baseUrl);
});

test('what needs no token says so', async () => {
  const open = operations(await description()).filter(
    ([, { security }]) => Array.isArray(security) && security.length === 0,
  );
  expect(open.map(([name]) => name).toSorted()).toEqual([
    'get /healthz',
    'get /metrics',
    'get /openapi.json',
    'get /readyz',
  ]);
});
