/** A worker's signs of life: a row in the database for all who ask there, and a port of its own where one is set. */
import { startLoop } from '../app/loop.ts';
import { buildWorkerHealth } from '../http/worker-health.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Running } from './processes.ts';

/** `url` is null without WORKER_HEALTH_PORT. */
export async function startWorkerHealth(
  infra: Infrastructure,
  parts: readonly string[],
): Promise<Running & { url: string | null }> {
  const { config, consumer, log, metrics, owner, upkeep } = infra;

  /** Why the worker gets no jobs; empty when it does. */
  function detail(): string {
    const silent = consumer.health().filter((health) => !health.ready);
    return silent.map(({ queue, silentMs }) => `the queue ${queue} is silent for ${silentMs} ms`).join('; ');
  }

  const sign = (): Promise<void> => upkeep.sign({ owner, parts: [...parts], ready: detail() === '', detail: detail() });
  const loop = startLoop({ name: 'signs', idleMs: config.canaryMs, clock: infra.act.clock, log, work: sign });
  const app =
    config.workerHealthPort === null
      ? null
      : await buildWorkerHealth({
          metrics,
          log,
          async ready() {
            await sign();
            const why = detail();
            if (why !== '') throw new Error(why);
          },
        });
  const url = app ? await app.listen({ host: config.host, port: config.workerHealthPort ?? 0 }) : null;
  if (url) log.info({ url }, 'the worker answers health checks');
  return {
    url,
    async stop() {
      await Promise.all([loop.stop(), app?.close()]);
      await upkeep.signOff(owner).catch(() => undefined);
    },
  };
}
