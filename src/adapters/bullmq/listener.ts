import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { Log } from '../../ports/log.ts';
import type { QueueHealth } from '../../ports/run-queue.ts';
import { openFastQueue } from './fast-queue.ts';
import { createReconnect, type QueueSettings, type Reconnect, settleWithin } from './names.ts';

export interface ListenerOptions extends QueueSettings {
  name: string;
  concurrency: number;
  work(job: Job): Promise<void>;
  log: Log;
  /** A canary goes through the queue this often, milliseconds. */
  canaryMs: number;
  /** Told when a dead worker was made anew. */
  renewed: (queue: string) => void;
  /** Tests put a worker here that never works. */
  newWorker?: NewWorker;
}

export type NewWorker = (name: string, processor: Processor, options: WorkerOptions) => Worker;

export interface Listener {
  health(): QueueHealth;
  close(): Promise<void>;
}

const closeLimitMs = 10_000;
const addLimitMs = 500;
/** So many canaries in a row that nobody brought back mean that the worker is dead. */
const canariesLost = 3;
const canaryName = 'canary';

interface Live {
  worker: Worker;
  reconnect: Reconnect;
}

/**
 * A BullMQ worker under watch. After an outage of Redis longer than its drain delay a worker may be dead without a word: it says that it
 * runs, and its connection answers (bullmq#4585). So canaries go through the queue, and a worker that is idle and brings back none while
 * Redis takes them is made anew. Where several processes listen, each canary is brought back by one of them; all send, so each gets its share.
 */
export function createListener(options: ListenerOptions): Listener {
  const { name, log } = options;
  const atWork = new Set<Promise<void>>();
  const now = (): number => performance.now();
  let lastJobAt: number | null = null;
  /** Since when canaries wait that Redis took; null: none does. */
  let waitingSince: number | null = null;
  let closed = false;
  let live = open();
  const canaries = openCanaries(options);
  const timer = setInterval(() => void watch(), options.canaryMs);
  timer.unref();
  void watch();

  function open(): Live {
    const reconnect = createReconnect();
    // BullMQ hands out a signal only to a processor that declares three parameters.
    const processor = async (job: Job, _token?: string, signal?: AbortSignal): Promise<void> => {
      sign();
      if (job.name === canaryName || signal?.aborted) return;
      const working = options.work(job).finally(() => {
        atWork.delete(working);
        sign();
      });
      atWork.add(working);
      await working;
    };
    const newWorker = options.newWorker ?? ((...given: Parameters<NewWorker>) => new Worker(...given));
    const worker = newWorker(name, processor, {
      prefix: options.prefix,
      concurrency: options.concurrency,
      connection: { url: options.url, maxRetriesPerRequest: null, retryStrategy: reconnect.retryStrategy },
      // How soon to look again after the connection failed: wakes are lost meanwhile anyway, but not for long.
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on('error', (error) => log.debug({ queue: name, error: error.message }, 'queue connection failed'));
    worker.on('ready', reconnect.ready);
    worker.on('failed', (job, error) => log.error({ queue: name, job: job?.id, error }, 'wake-up failed'));
    return { worker, reconnect };
  }

  function sign(): void {
    lastJobAt = now();
    waitingSince = null;
  }

  async function watch(): Promise<void> {
    if (closed) return;
    const dead = waitingSince !== null && now() - waitingSince > canariesLost * options.canaryMs;
    // One whose handlers are all at work has no hand free for a canary.
    if (dead && atWork.size === 0) await renew();
    const before = now();
    const taken = await canaries.send();
    // What Redis did not take says nothing about the worker, nor does what it may have lost since.
    if (!taken) waitingSince = null;
    else if (lastJobAt === null || lastJobAt < before) waitingSince ??= before;
  }

  async function renew(): Promise<void> {
    log.warn({ queue: name, silentMs: Math.round(silence()) }, 'the queue is not listened to any more; made anew');
    const old = live;
    waitingSince = null;
    live = open();
    options.renewed(name);
    await end(old, true);
  }

  const started = now();
  function silence(): number {
    return now() - (lastJobAt ?? started);
  }

  async function end({ worker, reconnect }: Live, force: boolean): Promise<void> {
    reconnect.end();
    await settleWithin(closeLimitMs, worker.close(force));
  }

  return {
    health() {
      const silentMs = Math.round(silence());
      const ready = lastJobAt !== null && (atWork.size > 0 || silentMs <= (canariesLost + 1) * options.canaryMs);
      return { queue: name, ready, silentMs };
    },
    async close() {
      closed = true;
      clearInterval(timer);
      const lost = live.reconnect.lost();
      live.reconnect.end();
      // BullMQ's own way waits for the handlers, but for ever for a connection that was lost.
      if (lost) await settleWithin(closeLimitMs, Promise.allSettled(atWork));
      await Promise.all([end(live, lost), canaries.close()]);
    },
  };
}

/** Sends canaries; its connection fails fast. */
function openCanaries(options: ListenerOptions): { send(): Promise<boolean>; close(): Promise<void> } {
  const reconnect = createReconnect();
  const queue = openFastQueue(options.name, options, reconnect);
  queue.on('error', () => undefined);
  return {
    async send() {
      let taken = false;
      const adding = queue.add(canaryName, {}).then(() => {
        taken = true;
      });
      // A client that was never connected hangs.
      await settleWithin(addLimitMs, adding);
      return taken;
    },
    close: async () => {
      reconnect.end();
      await settleWithin(addLimitMs, queue.close());
    },
  };
}
