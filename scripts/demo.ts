/**
 * `npm run demo`: the main job on the embedded default. `-- --json` prints one JSON object and nothing else on standard output,
 * `-- --keep` leaves it serving, `-- --issue N` plans another sample issue (1–5), `-- --full` prints the whole Workplan note.
 */
import { parseArgs } from 'node:util';
import { createLogger } from '../src/logger.ts';
import { runMainJob } from './demo/main-job.ts';
import { createStory } from './demo/story.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

const USAGE = 'npm run demo [-- [--issue N] [--full] [--json] [--keep]]';
const HELP = `Plans a sample issue from the comment to the scored Workplan, with everything it needs in one process.

Usage: ${USAGE}
  --issue N  one of the sample issues, 1 to 5 (2): clear, ambiguous, too thin, large, Japanese
  --full     prints the whole Workplan note
  --json     prints one JSON object and nothing else on standard output
  --keep     leaves everything serving and prints the addresses
`;

function readArguments(): { issue: number; full: boolean; json: boolean; keep: boolean } | null {
  const options = {
    issue: { type: 'string', default: '2' },
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
    full: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArgs({ options, allowPositionals: false });
  if (values.help) return null;
  const issue = Number(values.issue);
  if (!Number.isInteger(issue) || issue < 1 || issue > 5)
    throw new Error(`--issue: expected 1 to 5, got "${values.issue}". ${USAGE}`);
  return { issue, full: values.full === true, json: values.json === true, keep: values.keep === true };
}

// Whoever reads the story may have read enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function main(): Promise<number> {
  const wanted = readArguments();
  if (wanted === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const { issue, full, json, keep } = wanted;
  const startedAt = performance.now();
  const story = createStory(json ? process.stderr : process.stdout, startedAt);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(new Error('stopped')));
  let embedded: Embedded | undefined;
  try {
    story.waiting('starting');
    embedded = await startEmbedded({
      log: createLogger({ level: process.env['LOG_LEVEL'] === 'debug' ? 'debug' : 'error' }),
      databaseDir: 'memory',
      port: 0,
      progress: (what) => story.waiting(`starting ${what}`),
    });
    story.step('Redis, embedded PostgreSQL, sandbox GitLab, API and workers are up');
    const result = await runMainJob(embedded, issue, { story, full }, stopping.signal);
    const durationMs = Math.round(performance.now() - startedAt);
    if (json) process.stdout.write(`${JSON.stringify({ ...order(result), durationMs })}\n`);
    if (keep) await serveOn(embedded, issue, story, stopping.signal);
    return result.generationStatus === 'COMPLETED' ? 0 : 1;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return 130;
  } finally {
    story.end();
    await embedded?.stop();
  }
}

function order(result: Awaited<ReturnType<typeof runMainJob>>) {
  const { generationStatus, statuses, runId, questions, answers, workplan, score, noteUrls, provider } = result;
  return { generationStatus, statuses, runId, questions, answers, workplan, score, noteUrls, provider };
}

async function serveOn(
  embedded: Embedded,
  issue: number,
  story: ReturnType<typeof createStory>,
  signal: AbortSignal,
): Promise<void> {
  story.step(`the issue: ${embedded.sandbox.url}/acme/sample/-/issues/${issue}`);
  story.step(
    `the API:   ${embedded.apiUrl}/openapi.json  (tokens sandbox-alice, sandbox-bob, …). Ctrl-C stops everything.`,
  );
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
