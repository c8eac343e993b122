/**
 * `npm run dev`: everything in one process on the embedded default, planned by whatever `MODEL_*` says. The database forgets with the
 * sandbox: runs whose items and notes are gone would only fail.
 */
import { loadConfig } from '../src/config.ts';
import { createLogger } from '../src/logger.ts';
import { startEmbedded } from './embedded.ts';

async function main(): Promise<void> {
  const { modelProvider, modelScript, modelId, models } = loadConfig();
  const log = createLogger({ level: 'info', pretty: true });
  const embedded = await startEmbedded({
    log,
    databaseDir: 'memory',
    config: { modelProvider, modelScript, modelId, models },
    port: Number(process.env['PORT'] ?? 3000),
    sandboxPort: Number(process.env['SANDBOX_PORT'] ?? 3001),
  });
  log.info(
    { api: embedded.apiUrl, sandbox: embedded.sandbox.url },
    'serving; tokens sandbox-alice, sandbox-bob, sandbox-maria',
  );
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void embedded.stop());
}

/** A port that is taken is the commonest reason, and its own words do not say what to do. */
function explain(error: unknown): string {
  const { code, port, message } = (error ?? {}) as { code?: string; port?: number; message?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: stop what listens there, or set PORT (the API) and SANDBOX_PORT (the sandbox) to others`;
  return message ?? String(error);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`dev: ${explain(error)}\n`);
  process.exitCode = 1;
}
