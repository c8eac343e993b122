/** The webhook route with every delivery stored before it is acknowledged, beside a Probot server that stores nothing. */
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../scripts/launch/guarded.ts';
import { createDatabase, ensurePostgres } from '../scripts/launch/postgres.ts';
import { ensureRedis } from '../scripts/launch/redis.ts';
import { openPostgres } from '../src/adapters/postgres/connect.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { openLanes } from './http/lanes.ts';
import { atFullSpeed, atPace, type Load } from './http/load.ts';
import { type ServerProcess, startServer } from './http/server-process.ts';
import { installPeers } from './peers/install.ts';

const here = import.meta.dirname;
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 3000;
/** More than any server here answers in a round. */
const MOST = 40_000;
const PACE = 500;
const PACE_MS = 10_000;
const AGAINST_PROBOT = 1.5;
const SECRET = Buffer.alloc(32, 7);

export const bench: Bench = {
  what: `Deliveries of 2 kB from ${CONNECTIONS} connections: verified, stored in PostgreSQL with fsync, then acknowledged; beside a Probot server that stores nothing.`,
  async run(log) {
    await installPeers(log);
    const [postgres, redis] = await Promise.all([ensurePostgres({ fsync: true }), ensureRedis()]);
    const database = await createDatabase(postgres.url, 'bench');
    const db = await openPostgres({ url: database.url, poolSize: 1 });
    await db.migrate();
    const servers: ServerProcess[] = [];
    try {
      const ours = await startServer(['src/cli.ts', 'api'], ...(await settings(database.url, redis.url)));
      servers.push(ours);
      const port = await freePort();
      const probot = await startServer(['bench/peers/probot.mjs', String(port), SECRET.toString('hex')], port);
      servers.push(probot);
      const rounds: { ours: Measured; probot: Measured }[] = [];
      // The first round only warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const one = { ours: await fullSpeed(ours, gitlabDelivery), probot: await fullSpeed(probot, githubDelivery) };
        log(`round ${round}: ours ${one.ours.perSecond.toFixed(0)}/s, Probot ${one.probot.perSecond.toFixed(0)}/s`);
        if (round > 0) rounds.push(one);
      }
      const paced = await atPaceOf(ours);
      const [stored] = await db.execute<{ count: number }>('select count(*) from inbox');
      const acknowledged = accepted;
      if (stored?.count !== acknowledged)
        throw new Error(`${acknowledged} deliveries were acknowledged, ${stored?.count} are stored.`);
      return figuresOf(rounds, paced, acknowledged);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await db.close();
      await database.drop();
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  },
};

async function settings(databaseUrl: string, redisUrl: string): Promise<[number, NodeJS.ProcessEnv]> {
  const port = await freePort();
  return [
    port,
    {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      GITLAB_URL: 'http://127.0.0.1:9',
      GITLAB_TOKEN: 'glpat-bench',
      GITLAB_WEBHOOK_SIGNING_TOKEN: `whsec_${SECRET.toString('base64')}`,
      LOG_LEVEL: 'warn',
    },
  ];
}

interface Measured extends Load {
  /** Processor time of the server process a delivery, milliseconds. */
  cpuMs: number;
}

let accepted = 0;

async function fullSpeed(server: ServerProcess, make: (port: number) => Buffer): Promise<Measured> {
  const requests = Array.from({ length: MOST }, () => make(server.port));
  const lanes = await openLanes(server.port, CONNECTIONS);
  const cpu = server.cpuMs();
  const load = await atFullSpeed(lanes, () => requests.pop(), ROUND_MS);
  const cpuMs = server.cpuMs() - cpu;
  for (const lane of lanes) lane.close();
  return { ...load, cpuMs: cpuMs / count(load) };
}

async function atPaceOf(server: ServerProcess): Promise<Load> {
  const requests = Array.from({ length: (PACE * PACE_MS) / 1000 + PACE }, () => gitlabDelivery(server.port));
  const lanes = await openLanes(server.port, CONNECTIONS);
  const load = await atPace(lanes, () => requests.pop(), PACE, PACE_MS);
  for (const lane of lanes) lane.close();
  count(load);
  return load;
}

/** How many were answered; all must have been taken. */
function count(load: Load): number {
  const { 202: stored = 0, 200: taken = 0, ...others } = load.statuses;
  if (Object.keys(others).length > 0) throw new Error(`Deliveries were refused: ${JSON.stringify(load.statuses)}`);
  accepted += stored;
  return stored + taken;
}

const NOTE = JSON.parse(
  readFileSync(path.join(here, '../tests/fixtures/gitlab/webhooks/note-hook-issue.json'), 'utf8'),
) as { object_attributes: { id: number } };
let notes = 0;

/** Another comment each time: the same one again would not be stored again. */
function bodyOf(): string {
  notes += 1;
  return JSON.stringify({ ...NOTE, object_attributes: { ...NOTE.object_attributes, id: notes } });
}

function gitlabDelivery(port: number): Buffer {
  const body = bodyOf();
  const id = randomUUID();
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`${id}.${at}.${body}`).digest('base64');
  return request('/webhooks/gitlab', port, body, {
    'X-Gitlab-Event': 'Note Hook',
    'Idempotency-Key': id,
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  });
}

function githubDelivery(port: number): Buffer {
  // An app's deliveries name its installation: Probot makes each handler a client for it.
  const body = JSON.stringify({ action: 'created', installation: { id: 1 }, ...JSON.parse(bodyOf()) });
  const signature = createHmac('sha256', SECRET.toString('hex')).update(body).digest('hex');
  return request('/api/github/webhooks', port, body, {
    'X-GitHub-Event': 'issue_comment',
    'X-GitHub-Delivery': randomUUID(),
    'X-Hub-Signature-256': `sha256=${signature}`,
  });
}

function request(target: string, port: number, body: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  const start = `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
  return Buffer.from(`${start}${lines.join('')}\r\n${body}`);
}

function figuresOf(rounds: readonly { ours: Measured; probot: Measured }[], paced: Load, stored: number): Figure[] {
  const of = (what: (round: { ours: Measured; probot: Measured }) => number): number => median(rounds.map(what));
  return [
    { name: 'ours, stored before acknowledged', value: of(({ ours }) => ours.perSecond), unit: 'deliveries/s' },
    { name: 'Probot, nothing stored', value: of(({ probot }) => probot.perSecond), unit: 'deliveries/s' },
    {
      name: 'ours / Probot',
      value: of(({ ours, probot }) => ours.perSecond / probot.perSecond),
      unit: '×',
      goal: { min: AGAINST_PROBOT },
    },
    { name: 'ours, p50 at full speed', value: of(({ ours }) => ours.p50), unit: 'ms' },
    { name: `p99 at ${PACE} deliveries/s`, value: paced.p99, unit: 'ms', goal: { max: 15 } },
    { name: `p50 at ${PACE} deliveries/s`, value: paced.p50, unit: 'ms' },
    { name: 'ours, processor time of the API', value: 1000 * of(({ ours }) => ours.cpuMs), unit: 'µs a delivery' },
    { name: 'Probot, processor time', value: 1000 * of(({ probot }) => probot.cpuMs), unit: 'µs a delivery' },
    { name: 'acknowledged, and found in the table afterwards', value: stored, unit: 'deliveries' },
  ];
}
