import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensurePostgres } from './launch/postgres.ts';
import { ensureRedis } from './launch/redis.ts';
import type { LaunchedServer } from './launch/server.ts';
import { needsServers, type Tally, tallyReport } from './test-report.ts';

const root = path.dirname(import.meta.dirname);

// Tests make their own settings: nothing of the person's may reach a service that a test starts.
const foreign = ['DATABASE_URL', 'REDIS_URL', 'GITLAB_URL', 'GITLAB_TOKEN', 'MODEL_PROVIDER', 'MODEL_SCRIPT'];

/** `npm test`: every lane with the servers it needs; arguments go on to vitest. */
async function main(args: string[]): Promise<number> {
  const servers: LaunchedServer[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'planwright-test-'));
  try {
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of foreign) delete env[name];
    if (needsServers(args)) {
      const started = performance.now();
      // Settled, not all: when one cannot be had, the other is still stopped.
      const results = await Promise.allSettled([ensureRedis({ log }), ensurePostgres({ log })]);
      for (const result of results) if (result.status === 'fulfilled') servers.push(result.value);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      const [redis, postgres] = servers;
      env['TEST_REDIS_URL'] = redis?.url;
      env['TEST_POSTGRES_URL'] = postgres?.url;
      log(
        `Redis (${redis?.origin}) and PostgreSQL (${postgres?.origin}) in ${Math.round(performance.now() - started)} ms`,
      );
    }
    const report = path.join(folder, 'report.json');
    const code = await runVitest(
      [...args, '--reporter=default', `--reporter=${path.join(root, 'scripts/tally-reporter.ts')}`],
      { ...env, TEST_REPORT_FILE: report },
    );
    return conclude(await readTally(report), code);
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

function runVitest(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Ctrl-C reaches vitest by the terminal; it ends first, then the servers. A plain kill is passed on.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function readTally(report: string): Promise<Tally> {
  const text = await readFile(report, 'utf8').catch(() => '');
  return text === '' ? { passed: 0, failed: 0, skipped: 0 } : tallyReport(JSON.parse(text));
}

function conclude(tally: Tally, code: number): number {
  const nothingRan = tally.passed + tally.failed === 0;
  if (tally.skipped > 0) log(`${tally.skipped} skipped`);
  if (nothingRan) log('no test was run: that is a failure; check the file names and --project');
  else if (code !== 0 && tally.failed === 0) log(`vitest ended with code ${code}: see above`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  return code !== 0 || nothingRan || tally.failed > 0 ? 1 : 0;
}

function log(line: string): void {
  console.log(`test: ${line}`);
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  return 1;
});
