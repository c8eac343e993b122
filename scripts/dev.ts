/**
 * `npm run dev`: everything in one process on the embedded default, planned by whatever `MODEL_*` says. The database forgets with the
 * sandbox: runs whose items and notes are gone would only fail.
 */
import { loadConfig } from '../src/config.ts';
import { createLogger } from '../src/logger.ts';
import { startEmbedded } from './embedded.ts';

const { modelProvider, modelScript, modelId } = loadConfig();
const log = createLogger({ level: 'info', pretty: true });
const embedded = await startEmbedded({
  log,
  databaseDir: 'memory',
  config: { modelProvider, modelScript, modelId },
  port: Number(process.env['PORT'] ?? 3000),
  sandboxPort: Number(process.env['SANDBOX_PORT'] ?? 3001),
});
log.info(
  { api: embedded.apiUrl, sandbox: embedded.sandbox.url },
  'serving; tokens sandbox-alice, sandbox-bob, sandbox-maria',
);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void embedded.stop());
