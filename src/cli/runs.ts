/** `planwright runs export|prune`: what is kept, read out and deleted. */
import { parseArgs } from 'node:util';
import { pruneAll } from '../app/prune.ts';
import { loadConfig } from '../config.ts';
import type { RetentionStore } from '../ports/retention.ts';
import { openRetention } from '../wire/retention.ts';
import type { Command } from './command.ts';

const EXPORT_AT_ONCE = 20;
const DAY_MS = 86_400_000;
const UNITS_MS: Record<string, number> = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

export const runsCommand: Command = {
  usage: 'runs export [--since DATE] [--item ITEM] | runs prune --older-than 90d [--dry-run]',
  summary:
    'Exports runs with their events, usage and notes as JSON lines, or deletes what ended long ago but the newest run of each item.',
  async run([action, ...args]) {
    if (action === 'export') return exportRuns(args);
    if (action === 'prune') return prune(args);
    return wrong(`expected export or prune, got ${action === undefined ? 'nothing' : `"${action}"`}`);
  },
};

/** `--item`: the item's address, `group/project#1` or its global id; `--since`: runs changed at or after. */
async function exportRuns(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { since: { type: 'string' }, item: { type: 'string' } } });
  const since = values.since === undefined ? null : timeOf(values.since);
  if (since === undefined)
    return wrong(`--since: expected a date as 2026-01-31 or a time in ISO 8601, got "${values.since}"`);
  return withRetention(async (retention) => {
    const filter = { since, item: values.item ?? null };
    for (let after = 0; ; ) {
      const page = await retention.exportRuns(filter, after, EXPORT_AT_ONCE);
      const last = page.at(-1);
      if (last === undefined) return 0;
      for (const run of page) await write(`${JSON.stringify(run)}\n`);
      after = last.no;
    }
  });
}

async function prune(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { 'older-than': { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  const ageMs = ageOf(values['older-than'] ?? '');
  if (ageMs === null) {
    const got = values['older-than'] === undefined ? 'nothing' : `"${values['older-than']}"`;
    return wrong(`--older-than: expected an age of at least a day as 90d, 12w or 48h, got ${got}`);
  }
  return withRetention(async (retention) => {
    const dryRun = values['dry-run'];
    const pruned = dryRun ? await retention.countPrunable({ ageMs }) : await pruneAll(retention, ageMs);
    await write(`${JSON.stringify({ dryRun, ...pruned })}\n`);
    return 0;
  });
}

function wrong(message: string): number {
  process.stderr.write(`planwright: ${message}.\nUsage: planwright ${runsCommand.usage}\n`);
  return 2;
}

/** Undefined for what is no time. */
function timeOf(text: string): string | undefined {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Milliseconds; null for what is no age or below a day: bundles of pieces in use are known for that long. */
function ageOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms = count === undefined ? 0 : Number(count) * (UNITS_MS[unit] ?? 0);
  return ms >= DAY_MS ? ms : null;
}

async function withRetention(work: (retention: RetentionStore) => Promise<number>): Promise<number> {
  const { retention, close } = await openRetention(loadConfig(undefined, 'database'));
  try {
    return await work(retention);
  } finally {
    await close();
  }
}

/** Waits for a slow reader, so that an export of any size needs little memory. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}
