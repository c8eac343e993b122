/** Two processes' worth of GitLab clients with one token: what one is told holds for both, by the real Redis. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createGitLab, type GitLab } from '../../src/adapters/gitlab/client.ts';
import { createRedisCallLimit } from '../../src/adapters/redis/call-limit.ts';
import { connectRedis } from '../../src/adapters/redis/connect.ts';
import { createSystemClock } from '../../src/adapters/system/clock.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';
import { startRedisProxy } from '../helpers/redis-proxy.ts';
import { testRedis } from '../helpers/servers.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Asked {
  path: string;
  at: number;
}

/** A GitLab of one answer; `respond` decides when and with what. */
async function startGitLab(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', at: performance.now() });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function answerFile(response: ServerResponse): void {
  response.setHeader('content-type', 'text/plain');
  response.end('text');
}

function client(baseUrl: string, redisUrl: string, prefix: string, places = 32): GitLab {
  const log = createMemoryLog();
  const redis = connectRedis({ url: redisUrl, name: 'test', log });
  const gate = createRedisCallLimit({ redis, prefix });
  const gitlab = createGitLab({
    baseUrl,
    token: 'glpat-x',
    timeoutMs: 10_000,
    clock: createSystemClock(),
    log,
    gate,
    places,
  });
  closing.push(
    () => redis.close(),
    () => gitlab.close(),
  );
  return gitlab;
}

test('a refusal to one holds the other back until the time GitLab named', async () => {
  const { url, prefix } = await testRedis();
  let refuse = true;
  const gitlab = await startGitLab((_request, response) => {
    if (!refuse) return answerFile(response);
    refuse = false;
    response.writeHead(429, { 'retry-after': '1', 'ratelimit-limit': '2000', 'content-type': 'text/plain' });
    return response.end('Retry later');
  });
  const [one, other] = [client(gitlab.url, url, prefix), client(gitlab.url, url, prefix)];
  const first = one.rawFile(1, 'main', 'one');
  await expect.poll(() => gitlab.asked.length, { interval: 5 }).toBe(1);
  // The answer has come once the gate knows: the first one's own repeat waits as well.
  await expect.poll(() => gateIsShut(url, prefix), { interval: 5 }).toBe(true);

  const second = other.rawFile(1, 'main', 'other');
  await Promise.all([first, second]);

  const [refused, ...later] = gitlab.asked;
  expect(later).toHaveLength(2);
  for (const { at } of later) expect(at - (refused?.at ?? 0)).toBeGreaterThanOrEqual(950);
});

async function gateIsShut(url: string, prefix: string): Promise<boolean> {
  const redis = connectRedis({ url, name: 'look', log: createMemoryLog() });
  try {
    return await redis.run(async (direct) => (await direct.keys(`{${prefix}:calls:*}:pauses`)).length > 0);
  } finally {
    await redis.close();
  }
}

test('what a person waits for overtakes what another process does in the background', async () => {
  const { url, prefix } = await testRedis();
  const held: ServerResponse[] = [];
  const gitlab = await startGitLab((_request, response) => void held.push(response));
  const [worker, api] = [client(gitlab.url, url, prefix, 1), client(gitlab.url, url, prefix, 1)];
  const background = [1, 2, 3].map((number) => worker.rawFile(1, 'main', `background${number}`));
  await expect.poll(() => held.length).toBe(1);
  const click = api.urgent.rawFile(1, 'main', 'click');
  await expect.poll(() => personWaits(url, prefix), { interval: 5 }).toBe(true);

  for (let answered = 0; answered < 4; answered += 1) {
    await expect.poll(() => held.length, { interval: 5, timeout: 5000 }).toBeGreaterThan(answered);
    const response = held[answered];
    if (response) answerFile(response);
  }
  await Promise.all([...background, click]);

  expect(gitlab.asked[1]?.path).toContain('/files/click/raw');
});

async function personWaits(url: string, prefix: string): Promise<boolean> {
  const redis = connectRedis({ url, name: 'look', log: createMemoryLog() });
  try {
    return await redis.run(async (direct) => (await direct.keys(`{${prefix}:calls:*}:urgent`)).length > 0);
  } finally {
    await redis.close();
  }
}

test('calls go on while Redis is away, and after it is back', async () => {
  const { url, prefix } = await testRedis();
  const proxy = await startRedisProxy(url);
  closing.push(() => proxy.close());
  const gitlab = await startGitLab((_request, response) => answerFile(response));
  const one = client(gitlab.url, proxy.url, prefix);
  await one.rawFile(1, 'main', 'before');
  await proxy.cut();

  await Promise.all(Array.from({ length: 40 }, (_, number) => one.rawFile(1, 'main', `away${number}`)));
  await proxy.restore();
  await one.rawFile(1, 'main', 'back');

  expect(gitlab.asked).toHaveLength(42);
});
