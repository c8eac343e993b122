/**
 * Stands between the sandbox's hooks and the service: hands deliveries on at once, twice, late, or in another order, again and again until
 * they are acknowledged. What comes late GitLab believes delivered.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';

export interface PostOffice {
  /** Address for the hooks, without a trailing slash. */
  url: string;
  /** Bodies by delivery id that the service acknowledged with 202 or 200. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly counts: { handedOn: number; twice: number; late: number; refused: number };
  /** Deliveries that are still to be handed on. */
  waiting(): number;
  /** From now on everything is handed on at once. */
  calm(): void;
  close(): Promise<void>;
}

const LONGEST_LATE_MS = 3000;
const RETRY_MS = 400;

export async function startPostOffice(options: { random: Random; targets: () => string[] }): Promise<PostOffice> {
  const { random, targets } = options;
  const acknowledged = new Map<string, string>();
  const counts = { handedOn: 0, twice: 0, late: 0, refused: 0 };
  const closing = new AbortController();
  let waiting = 0;
  let isCalm = false;

  async function handOn(headers: Record<string, string>, body: Buffer): Promise<number> {
    const target = random.pick(targets());
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(5000)]);
      const answer = await fetch(`${target}/webhooks/gitlab`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        signal,
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 503;
    }
  }

  async function deliver(headers: Record<string, string>, body: Buffer, afterMs: number): Promise<void> {
    waiting += 1;
    try {
      await delay(afterMs, undefined, { signal: closing.signal });
      for (;;) {
        const status = await handOn(headers, body);
        if (status < 300) break;
        counts.refused += 1;
        await delay(RETRY_MS, undefined, { signal: closing.signal });
      }
      counts.handedOn += 1;
      acknowledged.set(headers['idempotency-key'] ?? '', body.toString('utf8'));
    } finally {
      waiting -= 1;
    }
  }

  const late = () => (isCalm ? 0 : random.below(LONGEST_LATE_MS));

  async function take(headers: Record<string, string>, body: Buffer): Promise<void> {
    const twice = !isCalm && random.chance(0.2);
    const isLate = !isCalm && random.chance(0.25);
    if (twice) counts.twice += 1;
    if (isLate) counts.late += 1;
    await Promise.all([
      deliver(headers, body, isLate ? late() : 0),
      twice ? deliver(headers, body, late()) : undefined,
    ]);
  }

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      response.writeHead(202).end();
      take(sendable(request.headers), body).catch(() => undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    acknowledged,
    counts,
    waiting: () => waiting,
    calm() {
      isCalm = true;
    },
    async close() {
      closing.abort(new Error('the post office closes'));
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Without those of the connection. */
function sendable(headers: IncomingHttpHeaders): Record<string, string> {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      own.has(name) || typeof value !== 'string' ? [] : [[name, value]],
    ),
  );
}
