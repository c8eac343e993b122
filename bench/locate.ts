/** How well the files of an issue are found, beside plain BM25 over path and content on the same files and issues. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { defaultLimits } from '../src/adapters/repository/archive.ts';
import { buildSnapshot } from '../src/adapters/repository/build.ts';
import { openSnapshot } from '../src/adapters/repository/snapshot.ts';
import { createSystemClock } from '../src/adapters/system/clock.ts';
import type { Bench, Figure } from './figures.ts';
import { bm25 } from './locate/bm25.ts';
import { packageEntries } from './locate/packages.ts';

const Case = z.strictObject({
  id: z.string(),
  /** `name` of an installed package, or `name@version` of one to fetch. */
  package: z.string(),
  /** The weights were chosen on the tuned ones; the others were looked at by their figures alone. */
  set: z.enum(['tuned', 'held-out']),
  issue: z.string(),
  files: z.array(z.string()).min(1),
});
type Case = z.infer<typeof Case>;

interface Outcome {
  set: Case['set'];
  recall5: number;
  recall10: number;
  reciprocal: number;
}

const FILES = ['node.yaml', 'fetched.yaml'];
const TOP = 50;
/** How many points the held-out half must be better than the baseline. */
const CLEARLY = 5;

export const bench: Bench = {
  what: 'Issues over open packages: the share of the files to change among the first 5 and 10, and the mean reciprocal rank of the first one, in percent; the same for plain BM25 (path and content, k1 1.2, b 0.75).',
  async run(log) {
    const cases = (await Promise.all(FILES.map(readCases))).flat();
    const ours: Outcome[] = [];
    const baseline: Outcome[] = [];
    for (const [name, own] of Map.groupBy(cases, (one) => one.package)) {
      const ranked = await rankBoth(name, own);
      if (ranked === null) {
        log(`${name} cannot be fetched: its ${own.length} issues are left out`);
        continue;
      }
      own.forEach((one, index) => {
        const [mine, plain] = [ranked.ours[index] ?? [], ranked.baseline[index] ?? []];
        ours.push(outcomeOf(one, mine));
        baseline.push(outcomeOf(one, plain));
        const first = mine.findIndex((file) => one.files.includes(file)) + 1;
        if (first === 0 || first > 5) log(`${one.id}: first at ${first || 'none'}`);
      });
    }
    return figuresOf(ours, baseline);
  },
};

async function readCases(file: string): Promise<Case[]> {
  return z.array(Case).parse(parse(await readFile(path.join(import.meta.dirname, 'locate/cases', file), 'utf8')));
}

async function rankBoth(
  name: string,
  cases: readonly Case[],
): Promise<{ ours: string[][]; baseline: string[][] } | null> {
  const entries = await packageEntries(name);
  if (entries === null) return null;
  const database = await buildSnapshot({
    location: ':memory:',
    projectId: 1,
    commit: name,
    entries,
    limits: defaultLimits,
    clock: createSystemClock(),
    signal: new AbortController().signal,
  });
  const snapshot = openSnapshot(database);
  const { files } = snapshot.list({ limit: 100_000 });
  const missing = cases.flatMap((one) => one.files.filter((file) => snapshot.file(file) === null));
  if (missing.length > 0) throw new Error(`${name} has no ${missing.join(', ')}: correct the cases.`);
  const documents = files.map(({ path: file, lines }) => ({
    path: file,
    text: snapshot.read(file, 1, Math.max(1, lines))?.text ?? '',
  }));
  const issues = cases.map(({ issue }) => issue);
  const answer = {
    ours: issues.map((issue) => snapshot.search(issue, TOP).map((hit) => hit.path)),
    baseline: bm25(documents, issues, TOP),
  };
  snapshot.close();
  return answer;
}

function outcomeOf({ set, files }: Case, ranked: readonly string[]): Outcome {
  const recall = (most: number): number =>
    ranked.slice(0, most).filter((file) => files.includes(file)).length / files.length;
  const first = ranked.findIndex((file) => files.includes(file));
  return { set, recall5: recall(5), recall10: recall(10), reciprocal: first < 0 ? 0 : 1 / (first + 1) };
}

function figuresOf(ours: readonly Outcome[], baseline: readonly Outcome[]): Figure[] {
  const measures = [
    ['recall@5', ({ recall5 }: Outcome) => recall5],
    ['recall@10', ({ recall10 }: Outcome) => recall10],
    ['MRR', ({ reciprocal }: Outcome) => reciprocal],
  ] as const;
  const figures: Figure[] = [];
  for (const set of ['tuned', 'held-out'] as const) {
    const mine = ours.filter((one) => one.set === set);
    const plain = baseline.filter((one) => one.set === set);
    figures.push({ name: `${set}: issues`, value: mine.length, unit: '' });
    for (const [name, of] of measures) {
      const [value, beside] = [percent(mine.map(of)), percent(plain.map(of))];
      const goal = set === 'held-out' ? { goal: { min: Math.min(100, beside + CLEARLY) } } : {};
      figures.push({ name: `${set}: ${name}`, value, unit: '%', ...goal });
      figures.push({ name: `${set}: ${name}, BM25`, value: beside, unit: '%' });
    }
  }
  return figures;
}

function percent(values: readonly number[]): number {
  return Math.round((1000 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length)) / 10;
}
