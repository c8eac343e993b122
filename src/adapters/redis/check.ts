import type { RedisConnection } from './connect.ts';

export interface RedisFinding {
  /** `warn`: it should be put right; `info`: to be known. */
  level: 'warn' | 'info';
  code: 'redis_unreachable' | 'redis_evicts' | 'redis_policy_unknown' | 'redis_not_durable';
  message: string;
}

/**
 * Settings of the server that matter (facts: BullMQ). Nothing is refused: PostgreSQL holds the truth, and what Redis loses costs a sweep.
 * But with eviction wake-ups and leases vanish again and again.
 */
export async function checkRedis(redis: RedisConnection): Promise<RedisFinding[]> {
  const policy = await settingOf(redis, 'maxmemory-policy');
  if (policy instanceof Error) {
    const code = /unavailable|did not answer/i.test(policy.message) && !isRefusal(policy) ? 'redis_unreachable' : null;
    if (code) return [{ level: 'warn', code, message: policy.message }];
    const message =
      'The server does not tell its settings (CONFIG is not allowed): make sure yourself that maxmemory-policy is noeviction.';
    return [{ level: 'warn', code: 'redis_policy_unknown', message }];
  }
  const findings: RedisFinding[] = [];
  if (policy !== 'noeviction') {
    const message =
      `maxmemory-policy: expected noeviction, got "${policy}": the server may drop jobs and leases when its memory is full. ` +
      'Set maxmemory-policy noeviction, or give this service a server of its own.';
    findings.push({ level: 'warn', code: 'redis_evicts', message });
  }
  const appendOnly = await settingOf(redis, 'appendonly');
  if (appendOnly === 'no') {
    const message =
      'appendonly is off: after a restart of the server wake-ups are found again by the sweeper, some seconds later.';
    findings.push({ level: 'info', code: 'redis_not_durable', message });
  }
  return findings;
}

async function settingOf(redis: RedisConnection, name: string): Promise<string | Error> {
  try {
    const answer = await redis.run((client) => client.config('GET', name));
    const value = Array.isArray(answer) ? answer[1] : undefined;
    return typeof value === 'string' ? value : new Error('NOPERM no value');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Managed servers answer that there is no such command, or that it is not permitted. */
function isRefusal(error: Error): boolean {
  return /NOPERM|unknown command|not allowed|ERR /i.test(error.message);
}

/** The server's version; null: it does not say. */
export async function readRedisVersion(redis: RedisConnection): Promise<string | null> {
  try {
    const facts = await redis.run((client) => client.info('server'));
    return /^(?:valkey|redis)_version:(\S+)/m.exec(facts)?.[1] ?? null;
  } catch {
    return null;
  }
}
