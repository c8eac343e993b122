import { createConnection } from 'node:net';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startRestartablePostgres, startRestartableRedis } from '../../scripts/launch/restartable.ts';

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** One command of Redis, as text, and its answer. */
function ask(url: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString('utf8'));
    });
  });
}

test.each(['quick', 'crash'] as const)(
  'PostgreSQL that is halted (%s) comes back with what was committed',
  async (how) => {
    const postgres = await startRestartablePostgres();
    try {
      await query(postgres.url, 'create table kept as select 7 as number');

      await postgres.halt(how);
      await expect(query(postgres.url, 'select 1')).rejects.toThrow();
      await postgres.start();

      expect(await query(postgres.url, 'select number from kept')).toEqual([{ number: 7 }]);
    } finally {
      await postgres.close();
    }
  },
);

test.each(['quick', 'crash'] as const)(
  'Redis that is halted (%s) comes back at the same address, empty',
  async (how) => {
    const redis = await startRestartableRedis();
    try {
      await ask(redis.url, 'SET word chaos');

      await redis.halt(how);
      await expect(ask(redis.url, 'PING')).rejects.toThrow();
      await redis.start();

      expect(await ask(redis.url, 'GET word')).toBe('$-1\r\n');
    } finally {
      await redis.close();
    }
  },
);
