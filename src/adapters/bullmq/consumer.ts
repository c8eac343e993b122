import { type Job, Worker } from 'bullmq';
import { z } from 'zod';
import type { Log } from '../../ports/log.ts';
import type { RunQueueConsumer } from '../../ports/run-queue.ts';
import { createReconnect, deliveriesQueue, type QueueSettings, runsQueue, settleWithin } from './names.ts';

const WakeJob = z.object({ runIds: z.array(z.string().min(1)) });

/** Jobs that may wait in `handle` for a free place at the same time. */
const runJobsAtOnce = 16;
const closeLimitMs = 10_000;

/**
 * The consuming side. A job only wakes: one whose handler fails is logged and gone, and the sweeper finds the runs. A lost Redis
 * is waited for; it never ends the process.
 */
export function createBullConsumer(options: QueueSettings & { log: Log }): RunQueueConsumer {
  const { log } = options;

  async function onRuns(handle: (runIds: string[]) => Promise<void>): Promise<{ close(): Promise<void> }> {
    return consume(runsQueue, runJobsAtOnce, async (job) => {
      const wake = WakeJob.safeParse(job.data);
      if (wake.success) await handle(wake.data.runIds);
      else log.warn({ job: job.id }, 'a job that wakes nobody was dropped');
    });
  }

  async function onDeliveries(handle: () => Promise<void>): Promise<{ close(): Promise<void> }> {
    return consume(deliveriesQueue, 1, handle);
  }

  function consume(name: string, concurrency: number, work: (job: Job) => Promise<void>): { close(): Promise<void> } {
    const atWork = new Set<Promise<void>>();
    // BullMQ hands out a signal only to a processor that declares three parameters.
    const processor = async (job: Job, _token?: string, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted) return;
      const working = work(job).finally(() => atWork.delete(working));
      atWork.add(working);
      await working;
    };
    const reconnect = createReconnect();
    const worker = new Worker(name, processor, {
      prefix: options.prefix,
      concurrency,
      connection: { url: options.url, maxRetriesPerRequest: null, retryStrategy: reconnect.retryStrategy },
      // How soon to look again after the connection failed: wakes are lost meanwhile anyway, but not for long.
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on('error', (error) => log.debug({ queue: name, error: error.message }, 'queue connection failed'));
    worker.on('ready', reconnect.ready);
    worker.on('failed', (job, error) => log.error({ queue: name, job: job?.id, error }, 'wake-up failed'));
    return {
      close: async () => {
        reconnect.end();
        const lost = reconnect.lost();
        // BullMQ's own way waits for the handlers, but for ever for a connection that was lost.
        if (lost) await settleWithin(closeLimitMs, Promise.allSettled(atWork));
        await settleWithin(closeLimitMs, worker.close(lost));
      },
    };
  }

  return { onRuns, onDeliveries };
}
