import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { httpUrl, IN_A_HEADER, integer, millis, optionalInteger, secret, urlOf, wholeMillis } from './config-fields.ts';
import { type ModelConfig, modelProblems, modelSettings, toModelConfig } from './config-models.ts';
import { type ConfigMode, isWhole, missing } from './config-needs.ts';
import type { ModelProvider } from './ports/model-ref.ts';

/** The pieces that come with the service, wherever it is called from. */
const OWN_PIECES = path.join(import.meta.dirname, '../pieces');

/**
 * Every setting of the service (design: Settings of the service), by the name of its environment variable. An empty variable
 * counts as one that is not set. Messages say what was expected and never repeat the value: it may be a secret.
 */
export const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: integer('a port from 0 to 65535', 3000, 0, 65_535),
  PUBLIC_URL: httpUrl('the http(s) URL under which people and GitLab reach the service'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:'], 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
  REDIS_URL: urlOf(['redis:', 'rediss:'], 'redis://HOST:PORT or rediss://USER:PASSWORD@HOST:PORT'),
  REDIS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'at most 64 letters, digits, "-" or "_"')
    .default('planwright'),
  GITLAB_URL: httpUrl('the http(s) base URL of GitLab, e.g. https://gitlab.example.com'),
  GITLAB_TOKEN: secret('an access token of the bot with the scope api: printable ASCII, no white space', IN_A_HEADER),
  GITLAB_TIMEOUT_MS: millis(30_000, 100, 600_000),
  GITLAB_PROXY: z
    .string()
    .trim()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'the http(s) URL of a proxy, e.g. http://proxy.example.com:3128',
    )
    .optional()
    .transform((text) => text ?? null),
  GITLAB_CA_FILE: z
    .string()
    .optional()
    .transform((file) => (file === undefined ? null : path.resolve(file))),
  GITLAB_WEBHOOK_TOKEN: secret('the secret token of the webhook: no white space', /^\S+$/),
  GITLAB_WEBHOOK_SIGNING_TOKEN: secret(
    'the signing token of the webhook: whsec_ followed by base64',
    /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  ),
  ALLOWED_BOTS: z
    .string()
    .regex(/^\s*[1-9]\d*(\s*,\s*[1-9]\d*)*\s*$/, 'numeric GitLab user ids, separated by commas')
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map(Number))),
  PIECES_DIR: z
    .string()
    .optional()
    .transform((folder) =>
      folder === undefined ? OWN_PIECES : path.resolve(folder.replace(/^~(?=$|[\\/])/, homedir())),
    ),
  SNAPSHOT_DIR: z
    .string()
    .optional()
    .transform((folder) => (folder === undefined ? null : path.resolve(folder))),
  ...modelSettings,
  AGENT_MAX_STEPS: integer('a whole number of tool steps from 1 to 500', 40, 1, 500),
  AGENT_TIMEOUT_MS: millis(600_000, 1000, 86_400_000),
  RUN_TIMEOUT_MS: millis(3_600_000, 1000, 604_800_000),
  ACTIONS_PER_MINUTE: integer('how often one person may act on one item in a minute: 1 to 10000', 10, 1, 10_000),
  MAX_LIVE_RUNS_PER_PROJECT: optionalInteger(
    'how many runs of one project may be at work at once: 1 to 10000',
    1,
    10_000,
  ),
  RUN_CONCURRENCY: integer('how many runs a worker advances at once: 1 to 10000', 32, 1, 10_000),
  HEARTBEAT_MS: millis(5000, 100, 60_000),
  TAKEOVER_MS: millis(15_000, 300, 600_000),
  SWEEP_MS: millis(5000, 100, 600_000),
  DELIVERY_HOLD_MS: millis(60_000, 500, 3_600_000),
  LEASE_MS: millis(30_000, 1000, 600_000),
  SHUTDOWN_GRACE_MS: wholeMillis(20_000, 600_000),
  RECONCILE_MS: wholeMillis(300_000, 86_400_000),
  PAUSE_REMINDER_HOURS: optionalInteger('a whole number of hours from 1 to 8760', 1, 8760),
  PAUSE_EXPIRY_HOURS: optionalInteger('a whole number of hours from 1 to 87600', 1, 87_600),
  RETENTION_DAYS: optionalInteger('a whole number of days from 1 to 36500', 1, 36_500),
  CANARY_MS: millis(10_000, 100, 600_000),
  WORKER_HEALTH_PORT: optionalInteger('a port from 0 to 65535', 0, 65_535),
  API_REQUESTS_PER_MINUTE: integer('a whole number of requests from 1 to 1000000', 600, 1, 1_000_000),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'debug, info, warn, error or silent' })
    .default('info'),
  LOG_PRETTY: z
    .enum(['true', 'false'], { error: 'true or false' })
    .default('false')
    .transform((text) => text === 'true'),
});

/** The service's settings, checked. Null: not set, and there is no default (the embedded mode brings its own server). */
export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash. */
  publicUrl: string;
  /** PostgreSQL; null: the embedded database. */
  databaseUrl: string | null;
  /** Null: a private Redis is launched (demo, dev). */
  redisUrl: string | null;
  redisPrefix: string;
  /** With its path, without a trailing slash; null: the sandbox (demo, dev). */
  gitlabUrl: string | null;
  gitlabToken: string | null;
  /** Longest wait for one answer of GitLab. */
  gitlabTimeoutMs: number;
  /** An HTTP proxy between the service and GitLab. */
  gitlabProxy: string | null;
  /** A PEM file with authorities to trust for GitLab beside those Node knows. */
  gitlabCaFile: string | null;
  webhookToken: string | null;
  webhookSigningToken: string | null;
  /** Numeric user ids of bots that may act. */
  allowedBots: number[];
  piecesDir: string;
  /** Where snapshots of repositories are kept between runs; null: in memory only. */
  snapshotDir: string | null;
  modelProvider: ModelProvider;
  modelScript: string | null;
  /** The provider's model; empty: its default. */
  modelId: string;
  models: ModelConfig;
  agentMaxSteps: number;
  agentTimeoutMs: number;
  runTimeoutMs: number;
  /** Of one person on one item, by comment, label and reaction. */
  actionsPerMinute: number;
  /** Ceiling of every project's `max_live_runs`; null: none. */
  maxLiveRuns: number | null;
  runConcurrency: number;
  heartbeatMs: number;
  takeoverMs: number;
  sweepMs: number;
  /** Deliveries and notes that a worker began with and did not end in this time are taken over. */
  deliveryHoldMs: number;
  leaseMs: number;
  /** How long what is at work may go on after the process was told to stop. */
  shutdownGraceMs: number;
  /** How often a project is looked at for what no event told; 0: never. */
  reconcileMs: number;
  /** Null: nobody is reminded of a pause, a pause never ends its run. */
  pauseReminderMs: number | null;
  pauseExpiryMs: number | null;
  /** What ended longer ago is pruned; null: everything is kept. */
  retentionMs: number | null;
  /** How often a canary goes through the queue. */
  canaryMs: number;
  /** Where a worker answers health checks; null: nowhere. */
  workerHealthPort: number | null;
  /** Of one person's token, of one process of the API. */
  requestsPerMinute: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  logPretty: boolean;
}

/** The settings cannot be used; the message lists every wrong variable, `problems` one line each. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables.
 * @throws ConfigError that names every wrong or missing variable at once with what was expected, never with its value.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, mode: ConfigMode = 'embedded'): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = Settings.safeParse(given);
  const wrong = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: expected ${issue.message}`) ?? [];
  const problems = [...wrong, ...missing(given, mode)];
  if (parsed.success && isWhole(mode)) problems.push(...contradictions(parsed.data));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
}

/** As `loadConfig`, with settings that a command's options give in place of the environment's. @throws ConfigError */
export function loadConfigWith(given: Record<string, string>, mode: ConfigMode = 'embedded'): Config {
  return loadConfig({ ...process.env, ...given }, mode);
}

/** Single variables that a command reads for itself; empty ones count as not set. */
export function readEnvironment<N extends string>(
  names: readonly N[],
  env: NodeJS.ProcessEnv = process.env,
): Partial<Record<N, string>> {
  const given: Partial<Record<N, string>> = {};
  for (const name of names) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') given[name] = value;
  }
  return given;
}

function contradictions(settings: z.infer<typeof Settings>): string[] {
  // One lost heartbeat must not look like a dead worker.
  const problems: string[] = modelProblems(settings);
  const { TAKEOVER_MS, HEARTBEAT_MS, LEASE_MS, PAUSE_REMINDER_HOURS: reminder, PAUSE_EXPIRY_HOURS: expiry } = settings;
  if (TAKEOVER_MS < HEARTBEAT_MS * 2)
    problems.push(`TAKEOVER_MS: expected at least twice HEARTBEAT_MS (${HEARTBEAT_MS}), got ${TAKEOVER_MS}`);
  if (LEASE_MS < HEARTBEAT_MS * 3)
    problems.push(`LEASE_MS: expected at least three times HEARTBEAT_MS (${HEARTBEAT_MS}), got ${LEASE_MS}`);
  if (reminder !== null && expiry !== null && reminder >= expiry)
    problems.push(`PAUSE_REMINDER_HOURS: expected less than PAUSE_EXPIRY_HOURS (${expiry}), got ${reminder}`);
  return problems;
}

function toConfig(settings: z.infer<typeof Settings>): Config {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  return {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL ?? `http://${host}:${settings.PORT}`,
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    redisPrefix: settings.REDIS_PREFIX,
    gitlabUrl: settings.GITLAB_URL,
    gitlabToken: settings.GITLAB_TOKEN,
    gitlabTimeoutMs: settings.GITLAB_TIMEOUT_MS,
    gitlabProxy: settings.GITLAB_PROXY,
    gitlabCaFile: settings.GITLAB_CA_FILE,
    webhookToken: settings.GITLAB_WEBHOOK_TOKEN,
    webhookSigningToken: settings.GITLAB_WEBHOOK_SIGNING_TOKEN,
    allowedBots: settings.ALLOWED_BOTS,
    snapshotDir: settings.SNAPSHOT_DIR,
    piecesDir: settings.PIECES_DIR,
    modelProvider: settings.MODEL_PROVIDER,
    modelScript: settings.MODEL_SCRIPT,
    modelId: settings.MODEL_ID,
    models: toModelConfig(settings),
    agentMaxSteps: settings.AGENT_MAX_STEPS,
    agentTimeoutMs: settings.AGENT_TIMEOUT_MS,
    runTimeoutMs: settings.RUN_TIMEOUT_MS,
    actionsPerMinute: settings.ACTIONS_PER_MINUTE,
    maxLiveRuns: settings.MAX_LIVE_RUNS_PER_PROJECT,
    runConcurrency: settings.RUN_CONCURRENCY,
    heartbeatMs: settings.HEARTBEAT_MS,
    takeoverMs: settings.TAKEOVER_MS,
    sweepMs: settings.SWEEP_MS,
    deliveryHoldMs: settings.DELIVERY_HOLD_MS,
    leaseMs: settings.LEASE_MS,
    shutdownGraceMs: settings.SHUTDOWN_GRACE_MS,
    reconcileMs: settings.RECONCILE_MS,
    pauseReminderMs: times(settings.PAUSE_REMINDER_HOURS, HOUR_MS),
    pauseExpiryMs: times(settings.PAUSE_EXPIRY_HOURS, HOUR_MS),
    retentionMs: times(settings.RETENTION_DAYS, 24 * HOUR_MS),
    canaryMs: settings.CANARY_MS,
    workerHealthPort: settings.WORKER_HEALTH_PORT,
    requestsPerMinute: settings.API_REQUESTS_PER_MINUTE,
    logLevel: settings.LOG_LEVEL,
    logPretty: settings.LOG_PRETTY,
  };
}

const HOUR_MS = 3_600_000;

function times(count: number | null, unitMs: number): number | null {
  return count === null ? null : count * unitMs;
}
