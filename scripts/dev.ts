/** `npm run dev`: everything in one process on the embedded default; the database stays in `.planwright/pg`. */
import path from 'node:path';
import { createLogger } from '../src/logger.ts';
import { startEmbedded } from './embedded.ts';

const log = createLogger({ level: 'info', pretty: true });
const embedded = await startEmbedded({
  log,
  databaseDir: path.resolve('.planwright/pg'),
  port: Number(process.env['PORT'] ?? 3000),
  sandboxPort: Number(process.env['SANDBOX_PORT'] ?? 3001),
});
log.info(
  { api: embedded.apiUrl, sandbox: embedded.sandbox.url },
  'serving; tokens sandbox-alice, sandbox-bob, sandbox-maria',
);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void embedded.stop());
