import type { Queue } from 'bullmq';
import type { Log } from '../../ports/log.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import { openFastQueue } from './fast-queue.ts';
import { createGatherer } from './gather.ts';
import {
  createReconnect,
  deliveriesQueue,
  type QueueSettings,
  type Reconnect,
  runsPerJob,
  runsQueue,
  settleWithin,
} from './names.ts';

/** Milliseconds that a wake-up may hold its caller up. */
const limitMs = 500;
const closeLimitMs = 5000;

/**
 * Wake-ups as BullMQ jobs: those of a moment leave together, up to 32 run ids a job (D12). Its connection fails fast; a client
 * that was never connected would hang, so nobody waits over half a second.
 */
export function createBullProducer(options: QueueSettings & { log: Log }): RunQueue & { close(): Promise<void> } {
  const { log } = options;
  const reconnect = createReconnect();
  const runs = openQueue(runsQueue, options, reconnect);
  const deliveries = openQueue(deliveriesQueue, options, reconnect);

  const wakeRuns = createGatherer({
    limitMs,
    send: async (runIds) => {
      const jobs = Array.from({ length: Math.ceil(runIds.length / runsPerJob) }, (_, part) => ({
        name: 'wake',
        data: { runIds: runIds.slice(part * runsPerJob, (part + 1) * runsPerJob) },
      }));
      await runs.addBulk(jobs);
    },
    failed: (error, runIds) => log.warn({ runs: runIds.length, error }, 'runs not woken; the sweeper will'),
  });

  const wakeDeliveries = createGatherer({
    limitMs,
    send: async () => void (await deliveries.add('wake', {})),
    failed: (error) => log.warn({ error }, 'deliveries not woken; the next look will'),
  });

  return {
    wakeRuns,
    wakeDeliveries: () => wakeDeliveries(['wake']),
    close: async () => {
      reconnect.end();
      await Promise.all([runs, deliveries].map((queue) => settleWithin(closeLimitMs, queue.close())));
    },
  };
}

function openQueue(name: string, options: QueueSettings & { log: Log }, reconnect: Reconnect): Queue {
  const queue = openFastQueue(name, options, reconnect);
  queue.on('error', (error) => options.log.debug({ queue: name, error: error.message }, 'queue connection failed'));
  return queue;
}
