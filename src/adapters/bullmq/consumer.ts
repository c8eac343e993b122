import { z } from 'zod';
import type { Log } from '../../ports/log.ts';
import type { RunQueueConsumer } from '../../ports/run-queue.ts';
import { createListener, type Listener, type ListenerOptions, type NewWorker } from './listener.ts';
import { deliveriesQueue, type QueueSettings, runsQueue } from './names.ts';

const WakeJob = z.object({ runIds: z.array(z.string().min(1)) });

/** Jobs that may wait in `handle` for a free place at the same time. */
const runJobsAtOnce = 16;
const canaryMs = 10_000;

export interface ConsumerOptions extends QueueSettings {
  log: Log;
  /** How often a canary goes through each queue, milliseconds; default 10 s. */
  canaryMs?: number;
  /** Told when a dead worker was made anew. */
  renewed?: (queue: string) => void;
  newWorker?: NewWorker;
}

/**
 * The consuming side. A job only wakes: one whose handler fails is logged and gone, and the sweeper finds the runs. A lost Redis
 * is waited for; it never ends the process.
 */
export function createBullConsumer(options: ConsumerOptions): RunQueueConsumer {
  const { log } = options;
  const listeners = new Set<Listener>();

  function listen(
    name: string,
    concurrency: number,
    work: ListenerOptions['work'],
  ): Promise<{ close(): Promise<void> }> {
    const listener = createListener({
      canaryMs,
      renewed: () => undefined,
      ...options,
      name,
      concurrency,
      work,
    });
    listeners.add(listener);
    const close = async (): Promise<void> => {
      listeners.delete(listener);
      await listener.close();
    };
    return Promise.resolve({ close });
  }

  return {
    onRuns: (handle) =>
      listen(runsQueue, runJobsAtOnce, async (job) => {
        const wake = WakeJob.safeParse(job.data);
        if (wake.success) await handle(wake.data.runIds);
        else log.warn({ job: job.id }, 'a job that wakes nobody was dropped');
      }),
    onDeliveries: (handle) => listen(deliveriesQueue, 1, handle),
    health: () => [...listeners].map((listener) => listener.health()),
  };
}
