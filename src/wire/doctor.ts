/** Composes what `planwright doctor` looks at; what cannot be reached is a finding and keeps nothing else from being looked at. */
import { reachVendor } from '../adapters/models/reach.ts';
import type { Database } from '../adapters/postgres/connect.ts';
import { readFacts } from '../adapters/postgres/facts.ts';
import { createProjectWarnings } from '../adapters/postgres/project-warnings.ts';
import { createProjectWatch } from '../adapters/postgres/project-watch.ts';
import { createUpkeepStore } from '../adapters/postgres/upkeep-store.ts';
import { checkRedis, readRedisVersion } from '../adapters/redis/check.ts';
import { connectRedis } from '../adapters/redis/connect.ts';
import { createSystemClock } from '../adapters/system/clock.ts';
import { readDisk } from '../adapters/system/disk.ts';
import { createPieceFolder } from '../adapters/system/piece-folder.ts';
import { HOOK_PATH } from '../app/connect.ts';
import { type Finding, failure, guarded, ok, warning } from '../app/doctor/finding.ts';
import { checkGitLab } from '../app/doctor/gitlab.ts';
import { modelFindings } from '../app/doctor/model.ts';
import { checkProject } from '../app/doctor/project.ts';
import { databaseFindings, diskFindings, redisFindings, workerFindings } from '../app/doctor/servers.ts';
import { warningsOf } from '../app/warnings.ts';
import type { Config } from '../config.ts';
import type { Log } from '../ports/log.ts';
import { openDatabase, openGitLab } from './infrastructure.ts';
import { openModel } from './model.ts';

const WORKERS_WITHIN_MS = 60_000;
/** Nobody waits longer for an answer that is only looked at. */
const ANSWER_MS = 10_000;
const AGAIN_MS = 1000;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** `publicUrlSet`: PUBLIC_URL is in the settings. */
export async function examine(
  config: Config,
  options: { project: string | null; publicUrlSet: boolean },
): Promise<Finding[]> {
  const db = config.databaseUrl === null ? null : await openDatabase(config, 'memory');
  try {
    const parts = await Promise.all([
      gitlab(config, db, options.project),
      guarded('postgres', 'see DATABASE_URL, and that the server runs', () => database(db)),
      guarded('redis', 'see REDIS_URL, and that the server runs', () => redis(config)),
      guarded('model', 'see MODEL_PROVIDER and docs/models.md', () => model(config)),
      guarded('snapshots', 'see SNAPSHOT_DIR', async () =>
        diskFindings(config.snapshotDir === null ? null : await readDisk(config.snapshotDir)),
      ),
      guarded('public_url', 'see PUBLIC_URL', () => publicUrl(config, options.publicUrlSet)),
    ]);
    return parts.flat();
  } finally {
    await db?.close();
  }
}

async function gitlab(config: Config, db: Database | null, project: string | null): Promise<Finding[]> {
  const { webhookToken: token, webhookSigningToken: signingToken } = config;
  if (config.gitlabUrl === null || config.gitlabToken === null)
    return [failure('gitlab', 'GITLAB_URL or GITLAB_TOKEN is not set.', 'set both')];
  const opened = openGitLab({ ...config, gitlabTimeoutMs: Math.min(config.gitlabTimeoutMs, ANSWER_MS) }, silent);
  try {
    const findings = await checkGitLab({ gitlab: opened, setup: opened.setup, now: () => new Date() });
    const usable = !findings.some(({ level, check }) => level === 'failure' && ['gitlab', 'token'].includes(check));
    if (project === null || !usable) return findings;
    const hook = { url: `${config.publicUrl}${HOOK_PATH}`, token, signingToken };
    const deps = {
      gitlab: opened,
      setup: opened.setup,
      pieces: createPieceFolder(config.piecesDir),
      hook: token === null && signingToken === null ? null : hook,
      maxLiveRuns: config.maxLiveRuns,
      noticed: async (projectId: number) => (db === null ? [] : noticed(db, projectId)),
    };
    return [...findings, ...(await checkProject(deps, project))];
  } finally {
    await opened.close();
  }
}

/** Where the database is away or empty its own check says so. */
async function noticed(db: Database, projectId: number): Promise<{ code: string; message: string }[]> {
  try {
    const [signs, raised] = await Promise.all([
      createProjectWatch(db).signs(projectId),
      createProjectWarnings(db).of(projectId),
    ]);
    return warningsOf(signs, createSystemClock().now(), raised);
  } catch {
    return [];
  }
}

async function database(db: Database | null): Promise<Finding[]> {
  if (db === null)
    return [
      failure('postgres', 'DATABASE_URL is not set.', 'give a PostgreSQL: postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
    ];
  const facts = await readFacts(db);
  const findings = databaseFindings(facts, createSystemClock().now().getTime());
  if (facts.pending.length > 0) return findings;
  return [...findings, ...workerFindings(await createUpkeepStore(db).workers(WORKERS_WITHIN_MS))];
}

async function redis(config: Config): Promise<Finding[]> {
  if (config.redisUrl === null)
    return [failure('redis', 'REDIS_URL is not set.', 'give a Redis or Valkey: redis://HOST:PORT')];
  const connection = connectRedis({ url: config.redisUrl, name: 'planwright-doctor', log: silent });
  try {
    let findings = await checkRedis(connection);
    // It gives a command half a second: a machine that is busy gets a second and a third chance.
    for (let left = 2; left > 0 && findings.some(({ code }) => code === 'redis_unreachable'); left -= 1) {
      await createSystemClock().sleep(AGAIN_MS);
      findings = await checkRedis(connection);
    }
    return redisFindings({ version: await readRedisVersion(connection), findings });
  } finally {
    await connection.close();
  }
}

async function model(config: Config): Promise<Finding[]> {
  const { label } = await openModel(config);
  const needed = config.modelProvider === 'offline' || config.modelProvider === 'scripted' ? {} : config.models.vendors;
  const names = Object.values(config.models.roles);
  const answers = await Promise.all(
    (['anthropic', 'openai', 'google', 'compatible'] as const).flatMap((kind) => {
      const vendor = needed[kind];
      const used = names.flatMap((name) => (name.startsWith(`${kind}:`) ? [name.slice(kind.length + 1)] : []));
      if (!vendor || used.length === 0) return [];
      return [
        reachVendor({ kind, ...vendor }).then((reached) => ({ kind, models: null, reason: '', ...reached, used })),
      ];
    }),
  );
  return modelFindings(label, answers);
}

/** As GitLab would reach it, as far as that can be seen from here. */
async function publicUrl({ publicUrl: url }: Config, isSet: boolean): Promise<Finding[]> {
  if (!isSet)
    return [
      warning(
        'public_url',
        `PUBLIC_URL is not set: GitLab would be told ${url}.`,
        'set PUBLIC_URL to the address under which GitLab reaches the API',
      ),
    ];
  const answered = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  if (answered?.ok) return [ok('public_url', `The API answers at ${url}.`)];
  const what = answered === null ? 'does not answer' : `answers ${answered.status} to /readyz`;
  return [
    warning('public_url', `The API ${what} at ${url}, seen from here.`, 'see that planwright api runs, and PUBLIC_URL'),
  ];
}
