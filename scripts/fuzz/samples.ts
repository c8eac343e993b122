/** Pieces that are mutated: all examples of the reference, and now and then a long one. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const LONG = ['pieces/workplan.yaml', 'tests/fixtures/pieces/default.yaml'];

export async function readSamples(): Promise<string[]> {
  const page = await readFile(path.join(root, 'docs/piece-language.md'), 'utf8');
  const examples = [...page.matchAll(/^(`{3,})yaml\n(name: [\s\S]*?)^\1$/gm)].map((match) => match[2] ?? '');
  const long = await Promise.all(LONG.map((file) => readFile(path.join(root, file), 'utf8')));
  return [...examples, ...long];
}
