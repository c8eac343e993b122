import { Queue } from 'bullmq';
import type { QueueSettings, Reconnect } from './names.ts';

/** A queue whose connection fails fast; its jobs are gone once they were worked on, whatever came of it. */
export function openFastQueue(name: string, settings: QueueSettings, reconnect: Reconnect): Queue {
  return new Queue(name, {
    prefix: settings.prefix,
    connection: {
      url: settings.url,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      retryStrategy: reconnect.retryStrategy,
    },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
}
