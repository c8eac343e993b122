/** `npm run bench -- NAME [--json]`: runs one benchmark and prints its figures. Exit 1 when a goal is missed, 2 when called wrongly. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, type Figure, reachesGoal } from '../bench/figures.ts';

const folder = path.join(path.dirname(import.meta.dirname), 'bench');

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(
      `Runs one benchmark and prints its figures; exit 1 when a goal is missed.\n\nUsage: npm run bench -- NAME [--json]\n  NAME: ${(await names()).join(', ')}\n`,
    );
    return 0;
  }
  const [name = ''] = positionals;
  const file = path.join(folder, `${name}.ts`);
  if (!/^[a-z]+$/.test(name) || name === 'figures' || !existsSync(file)) {
    process.stderr.write(`bench: expected one of ${(await names()).join(', ')}, got "${name}".\n`);
    return 2;
  }
  const { bench } = (await import(file)) as { bench: Bench };
  const figures = await bench.run((line) => void process.stderr.write(`bench: ${line}\n`));
  if (values.json === true) process.stdout.write(`${JSON.stringify({ bench: name, what: bench.what, figures })}\n`);
  else process.stdout.write(`${bench.what}\n\n${figures.map(lineOf).join('')}`);
  return figures.every(reachesGoal) ? 0 : 1;
}

async function names(): Promise<string[]> {
  const files = await readdir(folder);
  return files.filter((file) => /^[a-z]+\.ts$/.test(file) && file !== 'figures.ts').map((file) => file.slice(0, -3));
}

function lineOf(figure: Figure): string {
  const { name, value, unit, goal } = figure;
  const amount = `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
  const wanted = goal === undefined ? '' : 'min' in goal ? `goal ≥ ${goal.min}` : `goal ≤ ${goal.max}`;
  const verdict = goal === undefined ? '' : reachesGoal(figure) ? ' ✔' : ' ✘ missed';
  return `  ${name.padEnd(44)} ${amount.padStart(24)}  ${wanted}${verdict}\n`;
}

process.exitCode = await main(process.argv.slice(2));
