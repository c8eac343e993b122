import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type GuardedProcess } from './guarded.ts';

/** Where a server came from: named by the environment, found on the machine, or fetched into the cache. */
export type ServerOrigin = 'environment' | 'path' | 'cache';

/** A server that is ready for use. */
export interface LaunchedServer {
  url: string;
  origin: ServerOrigin;
  /** Stops what was started (or drops what was created) and removes its files; may be called twice. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  /** Gets one line about each thing worth knowing, such as a download. */
  log?: ((line: string) => void) | undefined;
  /** The environment to read instead of this process's own. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** What one try to start a server is. */
export interface ServerAttempt {
  process: GuardedProcess;
  /** True as soon as this very process (not another one on the same port) serves. */
  ready(): Promise<boolean>;
}

const attempts = 5;
const pollMs = 10;

/**
 * Starts a server on a free port and waits until it serves. Between finding a port free and taking it another process may be
 * faster; then the server ends at once and another port is tried.
 * @throws Error with the server's last output when it does not come up.
 */
export async function startOnFreePort(
  name: string,
  timeoutMs: number,
  attempt: (port: number) => ServerAttempt,
): Promise<{ port: number; process: GuardedProcess }> {
  let output = '';
  for (let n = 0; n < attempts; n += 1) {
    const port = await freePort();
    const server = attempt(port);
    const deadline = Date.now() + timeoutMs;
    while (server.process.exitCode() === null && Date.now() < deadline) {
      if (await server.ready()) return { port, process: server.process };
      await delay(pollMs);
    }
    output = server.process.output();
    const timedOut = server.process.exitCode() === null;
    await server.process.stop();
    if (timedOut) throw new Error(`${name} did not serve within ${timeoutMs} ms. Its last output:\n${output}`);
    if (!/address already in use|could not bind/i.test(output)) break;
  }
  throw new Error(`${name} ended right after its start. Its last output:\n${output}`);
}

/** Fails with a remedy when nothing listens where an environment variable points. */
export async function requireListening(variable: string, url: string, defaultPort: number): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw new Error(`${variable}: expected a URL, got ${JSON.stringify(url)}`);
  const port = target.port === '' ? defaultPort : Number(target.port);
  const host = target.hostname === '' ? '127.0.0.1' : target.hostname.replace(/^\[|\]$/g, '');
  const problem = await new Promise<string | undefined>((resolve) => {
    const socket = createConnection({ host, port, timeout: 3000 });
    const finish = (result: string | undefined): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => finish(undefined));
    socket.once('timeout', () => finish('no answer within 3 s'));
    socket.once('error', (error) => finish(error.message));
  });
  if (problem === undefined) return;
  throw new Error(
    `${variable} points at ${host}:${port}, where nothing can be reached (${problem}). ` +
      `Start that server, correct ${variable}, or unset it to have a private one started.`,
  );
}
