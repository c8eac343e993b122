/** Entry of a production process: connects, starts one or more of its parts, stops in order on SIGINT and SIGTERM. */
import { loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { type Infrastructure, openInfrastructure } from './wire/infrastructure.ts';
import { type Running, startApi, startDeliveries, startMaintenance, startRuns } from './wire/processes.ts';

export const PARTS = {
  api: startApi,
  runs: startRuns,
  deliveries: startDeliveries,
  maintenance: startMaintenance,
} as const;
export type Part = keyof typeof PARTS;

/** Runs the parts until the process is told to stop. */
export async function serve(parts: readonly Part[]): Promise<void> {
  const config = loadConfig(undefined, 'service');
  const log = createLogger({ level: config.logLevel, pretty: config.logPretty });
  const infra = await openInfrastructure(config, log);
  const running: Running[] = [];
  try {
    await requireMigrated(infra);
    for (const part of parts) running.push(await PARTS[part](infra));
    log.info({ parts, pid: process.pid }, 'started');
    await toldToStop();
    log.info({ parts }, 'stopping');
  } finally {
    for (const part of running.reverse()) await part.stop();
    await infra.close();
  }
}

async function requireMigrated(infra: Infrastructure): Promise<void> {
  const pending = await infra.db.pendingMigrations();
  if (pending.length > 0)
    throw new Error(`The database lacks the migrations ${pending.join(', ')}: run "planwright migrate" first.`);
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
