import { buildSandbox } from './app.ts';
import type { SandboxState } from './state.ts';

export interface SandboxHandle {
  /** Its address, e.g. `http://127.0.0.1:8929`, without a trailing slash. */
  url: string;
  /** What it remembers, for tests in the same process. */
  state: SandboxState;
  /** Resolves when no hook delivery is under way. */
  idle(): Promise<void>;
  /** Ends at once: connections are cut, deliveries under way broken off. */
  close(): Promise<void>;
}

/**
 * Starts the GitLab stand-in on a port (a free one when none is given) and, unless told otherwise, on loopback only.
 * `publicUrl` is what links and pages say when others reach it under another name (a container's service name).
 */
export async function startSandbox(
  options: {
    port?: number;
    host?: string;
    seedDir?: string;
    publicUrl?: string;
    now?: () => Date;
    rateLimit?: number;
  } = {},
): Promise<SandboxHandle> {
  const { port = 0, host = '127.0.0.1', publicUrl, ...rest } = options;
  const sandbox = await buildSandbox(rest);
  await sandbox.app.listen({ port, host });
  const address = sandbox.app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox listens on no port');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${address.port}`;
  sandbox.state.baseUrl = publicUrl?.replace(/\/+$/, '') ?? url;
  return {
    url,
    state: sandbox.state,
    idle: () => sandbox.sender.idle(),
    close: () => sandbox.app.close(),
  };
}
