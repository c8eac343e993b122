import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { reachVendor, type VendorAddress } from '../../../../src/adapters/models/reach.ts';

async function vendor(status: number, body: unknown) {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const address = (kind: VendorAddress['kind'], baseUrl: string, apiKey: string | null = 'key-1'): VendorAddress => ({
  kind,
  baseUrl,
  apiKey,
  headers: { 'x-team': 'planning' },
});

test.each<[VendorAddress['kind'], string, string, unknown]>([
  ['anthropic', 'x-api-key', 'key-1', { data: [{ id: 'large-1' }] }],
  ['openai', 'authorization', 'Bearer key-1', { data: [{ id: 'large-1' }] }],
  ['google', 'x-goog-api-key', 'key-1', { models: [{ name: 'models/large-1' }] }],
  ['compatible', 'authorization', 'Bearer key-1', { data: [{ id: 'large-1' }] }],
])('%s is asked for its models with the key where it wants it', async (kind, header, value, body) => {
  const { seen, baseUrl } = await vendor(200, body);

  expect(await reachVendor(address(kind, baseUrl))).toEqual({ status: 200, models: ['large-1'] });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.url).toMatch(/^\/v1\/models/);
  expect(seen[0]?.headers).toMatchObject({ [header]: value, 'x-team': 'planning' });
});

test('a server of one’s own is asked without a key', async () => {
  const { seen, baseUrl } = await vendor(200, { data: [] });

  await reachVendor(address('compatible', baseUrl, null));

  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test('a key that is refused, and an answer of another kind, are told by their status', async () => {
  const refused = await vendor(401, { error: 'no' });
  const other = await vendor(200, 'hello');

  expect(await reachVendor(address('openai', refused.baseUrl))).toEqual({ status: 401, models: null });
  expect(await reachVendor(address('openai', other.baseUrl))).toEqual({ status: 200, models: null });
});

test('one that does not answer gives the reason', async () => {
  expect(await reachVendor(address('openai', 'http://127.0.0.1:9'))).toMatchObject({
    status: null,
    reason: expect.any(String),
  });
});
