/** `npm run fuzz [-- --count N --seed N]`: random and mutated piece files through the loader; exit 1 at an exception or a slow file. */
import { parseArgs } from 'node:util';
import { checkFile } from './fuzz/check.ts';
import { fuzzFile } from './fuzz/files.ts';
import { readSamples } from './fuzz/samples.ts';

/** Of CPU time: what else the machine does is not the loader's. */
const SLOW_MS = 1000;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function main(args: string[]): Promise<number> {
  const options = {
    count: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) {
    process.stdout.write(
      'Sends random and mutated piece files through the loader; exit 1 at an exception or a slow file.\n\nUsage: npm run fuzz [-- [--count N] [--seed N]]\n',
    );
    return 0;
  }
  const [count, seed] = [wholeNumber('--count', values.count), wholeNumber('--seed', values.seed)];
  const samples = await readSamples();
  const started = performance.now();
  const seen = { loaded: 0, findings: 0, slowestMs: 0, slowest: 0, problems: 0 };
  for (let index = 0; index < count; index += 1) {
    const text = fuzzFile(seed, index, samples);
    const begun = cpuMs();
    try {
      const { loaded, findings } = checkFile(text);
      seen.loaded += loaded ? 1 : 0;
      seen.findings += findings;
    } catch (error) {
      seen.problems += 1;
      console.error(`file ${index} of seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const ms = cpuMs() - begun;
    if (ms > seen.slowestMs) Object.assign(seen, { slowestMs: ms, slowest: index });
    if (ms > SLOW_MS) {
      seen.problems += 1;
      console.error(`file ${index} of seed ${seed} took ${Math.round(ms)} ms`);
    }
    if (index % 20_000 === 19_999)
      console.error(`${index + 1} files, ${Math.round((performance.now() - started) / 1000)} s`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${count} files in ${seconds} s: ${seen.loaded} loaded, ${seen.findings} findings, slowest ${Math.round(seen.slowestMs)} ms (file ${seen.slowest}), ${seen.problems} problems`,
  );
  return seen.problems > 0 ? 1 : 0;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${name}: expected a whole number, got "${text}".`);
  return Number(text);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
