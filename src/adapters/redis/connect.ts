import { Redis } from 'ioredis';
import { TransientFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';

export interface RedisConnection {
  /** Runs a command; `TransientFailure('redis_unavailable')` within half a second when Redis cannot be reached. */
  run<T>(command: (client: Redis) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Milliseconds a command, and the wait for the first connection, may take. */
const limitMs = 500;

/**
 * A connection that fails fast: a command is never kept for later, when its answer would come too late to be believed. It comes
 * back by itself; the loss is logged once, and so is the return.
 */
export function connectRedis(options: { url: string; name: string; log: Log }): RedisConnection {
  const client = new Redis(options.url, {
    connectionName: options.name,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: limitMs,
    // Commands of one turn leave in one write.
    enableAutoPipelining: true,
    connectTimeout: 5000,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
  });
  let down = false;
  client.on('error', (error) => {
    if (!down) options.log.warn({ connection: options.name, error: error.message }, 'Redis cannot be reached');
    down = true;
  });
  client.on('ready', () => {
    if (down) options.log.info({ connection: options.name }, 'Redis is reached again');
    down = false;
  });
  const first = firstConnection(client);
  return {
    run: async (command) => {
      try {
        // A command right after the start waits for the connection; after a loss it fails at once.
        await first;
        return await command(client);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new TransientFailure('redis_unavailable', `Redis did not answer: ${reason}`);
      }
    },
    close: async () => client.disconnect(),
  };
}

function firstConnection(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    client.once('ready', settle);
    client.once('error', settle);
    client.once('end', settle);
  });
}
