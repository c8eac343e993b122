/** Entry of a production process: connects, starts one or more of its parts, stops in order on SIGINT and SIGTERM. */
import { loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import type { Log } from './ports/log.ts';
import { type Infrastructure, openInfrastructure } from './wire/infrastructure.ts';
import { startMaintenance } from './wire/maintenance.ts';
import { type Running, startApi, startDeliveries, startRuns } from './wire/processes.ts';
import { startWorkerHealth } from './wire/worker-health.ts';

export const PARTS = {
  api: startApi,
  runs: startRuns,
  deliveries: startDeliveries,
  maintenance: startMaintenance,
} as const;
export type Part = keyof typeof PARTS;

/** Beyond the grace time: what has not ended by then will not. */
const LAST_MS = 15_000;

/** Runs the parts until the process is told to stop. */
export async function serve(parts: readonly Part[]): Promise<void> {
  const config = loadConfig(undefined, 'service');
  const log = createLogger({ level: config.logLevel, pretty: config.logPretty });
  const told = toldToStop(log, config.shutdownGraceMs + LAST_MS);
  const infra = await openInfrastructure(config, log);
  const running: Running[] = [];
  try {
    await requireMigrated(infra);
    await tellOfRedis(infra);
    for (const part of parts) running.push(await PARTS[part](infra));
    if (!parts.includes('api')) running.push(await startWorkerHealth(infra, parts));
    log.info({ parts, pid: process.pid }, 'started');
    await told;
    log.info({ parts, graceMs: config.shutdownGraceMs }, 'stopping');
  } catch (error) {
    // A part that could not begin may have left something open, and a process that does nothing must not look alive.
    setTimeout(() => process.exit(1), LAST_MS).unref();
    throw error;
  } finally {
    await Promise.all(running.map((part) => part.stop(config.shutdownGraceMs)));
    await infra.close();
    log.info({ parts }, 'stopped');
  }
}

async function requireMigrated(infra: Infrastructure): Promise<void> {
  const pending = await infra.db.pendingMigrations();
  if (pending.length > 0)
    throw new Error(`The database lacks the migrations ${pending.join(', ')}: run "planwright migrate" first.`);
}

async function tellOfRedis({ checkRedis, log }: Infrastructure): Promise<void> {
  for (const { level, code, message } of await checkRedis()) log[level]({ code, message }, 'settings of Redis');
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Resolves at the first signal; the second, or a stop that does not end in `lastMs`, exits at once. */
function toldToStop(log: Log, lastMs: number): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        if (told) process.exit(code);
        told = true;
        setTimeout(() => {
          log.error({ lastMs }, 'the stop did not end in time');
          process.exit(1);
        }, lastMs).unref();
        resolve();
      });
    }
  });
}
