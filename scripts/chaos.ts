/** `npm run chaos [-- --short] [-- --runs N] [-- --seed N] [-- --verbose] [-- --history FILE]`: exit 1 with the seed and what does not hold. */
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { LONG, SHORT } from './chaos/lengths.ts';
import { runChaos } from './chaos/run.ts';

const MOST_SHOWN = 40;
const HELP = `Runs many plans while processes are killed, frozen and cut off, and checks what must hold all the same.

Usage: npm run chaos [-- [--short] [--runs N] [--seed N] [--verbose] [--history FILE]]
  --short         a few minutes instead of long
  --seed N        the same again
  --history FILE  writes what happened as JSON
`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      runs: { type: 'string' },
      seed: { type: 'string' },
      history: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const length = values.short ? SHORT : LONG;
  const runs = numberOf('--runs', values.runs, length.runs);
  const seed = numberOf('--seed', values.seed, randomInt(1, 1_000_000));
  console.error(`chaos: seed ${seed}, ${runs} runs`);
  const started = performance.now();
  const say = (line: string): void => {
    if (values.verbose) console.error(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} ${line}`);
  };
  const { violations, ...figures } = await runChaos({
    ...length,
    runs,
    seed,
    say,
    keep: async (history) => {
      if (values.history !== undefined) await writeFile(values.history, JSON.stringify(history));
    },
  });
  console.log(JSON.stringify(figures, null, 2));
  for (const violation of violations.slice(0, MOST_SHOWN)) console.log(`VIOLATED ${violation}`);
  if (violations.length > MOST_SHOWN) console.log(`… and ${violations.length - MOST_SHOWN} more`);
  const again = `npm run chaos -- ${values.short ? '--short ' : ''}--runs ${runs} --seed ${seed}`;
  console.log(
    violations.length === 0 ? `all holds with seed ${seed}` : `seed ${seed} violates what must hold: ${again}`,
  );
  return violations.length === 0 ? 0 : 1;
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new TypeError(`${name}: expected a whole number above 0, got "${text}".`);
  return Number(text);
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  return 1;
});
