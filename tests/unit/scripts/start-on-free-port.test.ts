import { expect, test } from 'vitest';
import { type ServerAttempt, startOnFreePort } from '../../../scripts/launch/server.ts';

interface FakeServer extends ServerAttempt {
  stopped: boolean;
}

function serving(): FakeServer {
  const fake: FakeServer = {
    stopped: false,
    ready: async () => true,
    process: {
      exitCode: () => null,
      output: () => '',
      stop: async () => {
        fake.stopped = true;
      },
    },
  };
  return fake;
}

function ended(output: string): FakeServer {
  const fake = serving();
  return { ...fake, process: { ...fake.process, exitCode: () => 1, output: () => output } };
}

test('tries another port when somebody else was faster', async () => {
  const ports: number[] = [];
  const servers = [ended('bind: Address already in use'), serving()];

  const started = await startOnFreePort('Redis', 1000, (port) => {
    ports.push(port);
    const next = servers.shift();
    if (next === undefined) throw new Error('a third try');
    return next;
  });

  expect(ports).toHaveLength(2);
  expect(started.port).toBe(ports[1]);
});

test('does not try again when the server ended for another reason, and says which', async () => {
  let tries = 0;

  const attempt = startOnFreePort('Redis', 1000, () => {
    tries += 1;
    return ended('Bad directive or wrong number of arguments');
  });

  await expect(attempt).rejects.toThrow(/Redis ended right after its start[\s\S]*Bad directive/);
  expect(tries).toBe(1);
});

test('gives up after five ports', async () => {
  let tries = 0;

  const attempt = startOnFreePort('PostgreSQL', 1000, () => {
    tries += 1;
    return ended('could not bind IPv4 address "127.0.0.1": Address already in use');
  });

  await expect(attempt).rejects.toThrow(/PostgreSQL ended right after its start/);
  expect(tries).toBe(5);
});

test('stops a server that does not serve in time', async () => {
  const silent = serving();

  const attempt = startOnFreePort('Redis', 0, () => silent);

  await expect(attempt).rejects.toThrow('Redis did not serve within 0 ms');
  expect(silent.stopped).toBe(true);
});
