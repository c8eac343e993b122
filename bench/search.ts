/** The snapshot of a repository of 10,000 files: building, searching, memory, and the second run on the same commit. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { createRepository } from '../src/adapters/repository/repository.ts';
import { createSystemClock } from '../src/adapters/system/clock.ts';
import type { RepositorySnapshot } from '../src/ports/repository.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { generatedFile, QUERIES } from './search/generated.ts';

const FILES = 10_000;
const ROUNDS = 3;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const nothing = { debug() {}, info() {}, warn() {}, error() {} };

export const bench: Bench = {
  what: `A generated repository of ${FILES} files in eight languages, from a gzipped archive on disk: time until it can be searched, searches by words, identifiers and whole issues, memory of the process above what it had before, reuse by a second service.`,
  async run(log) {
    const home = await mkdtemp(join(tmpdir(), 'planwright-bench-'));
    try {
      const archive = join(home, 'archive.tar.gz');
      const textBytes = await writeArchive(archive);
      log(`${FILES} files, ${Math.round(textBytes / 1e6)} MB of text`);
      const folder = join(home, 'snapshots');
      await mkdir(folder);
      return await measure(archive, folder, textBytes, log);
    } finally {
      await rm(home, { recursive: true });
    }
  },
};

async function measure(
  archive: string,
  folder: string,
  textBytes: number,
  log: (line: string) => void,
): Promise<Figure[]> {
  let downloads = 0;
  const open = (): ReturnType<typeof createRepository> =>
    createRepository({
      archive: async () => {
        downloads += 1;
        return createReadStream(archive);
      },
      folder,
      clock: createSystemClock(),
      log: nothing,
    });
  const memory = watchMemory();
  const first = open();
  const builtMs: number[] = [];
  const processorMs: number[] = [];
  const build = async (project: number): Promise<RepositorySnapshot> => {
    const before = process.cpuUsage();
    const started = performance.now();
    const built = await first.snapshot(project, COMMIT);
    builtMs.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    processorMs.push((user + system) / 1000);
    log(`built in ${Math.round(builtMs.at(-1) ?? 0)} ms`);
    return built;
  };
  const snapshot = await build(1);
  const short: number[] = [];
  const long: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (const query of QUERIES) {
      const ms = await timed(async () => snapshot.search(query, 20));
      (query.length > 200 ? long : short).push(ms);
    }
  }
  const grown = memory.grown();
  const textSearchMs = await timed(() => snapshot.find({ pattern: 'nowhere to be found', regexp: false, limit: 50 }));
  const expressionMs = await timed(() =>
    snapshot.find({ pattern: 'nowhere\\s+to be (found|seen)', regexp: true, limit: 50 }),
  );
  const referencesMs = await timed(() => snapshot.references('settleInvoice17', 50));
  for (let round = 1; round < ROUNDS; round += 1) await build(round + 1);
  await first.close();
  const before = downloads;
  const second = open();
  const reusedMs = await timed(async () => (await second.snapshot(1, COMMIT)).search('invoice', 5));
  await second.close();
  return [
    { name: 'built (median)', value: Math.round(median(builtMs)), unit: 'ms', goal: { max: 5_000 } },
    { name: 'built, processor time (median)', value: Math.round(median(processorMs)), unit: 'ms' },
    { name: 'search by words, p50', value: median(short), unit: 'ms', goal: { max: 20 } },
    { name: 'search by a whole issue, p50', value: median(long), unit: 'ms' },
    {
      name: 'memory above the start, building and searching',
      value: grown / textBytes,
      unit: '× its text',
      goal: { max: 10 },
    },
    { name: 'second service: ready and searched', value: reusedMs, unit: 'ms' },
    { name: 'second service: downloads', value: downloads - before, unit: '', goal: { max: 0 } },
    { name: 'every line for a text', value: Math.round(textSearchMs), unit: 'ms' },
    { name: 'every line for an expression', value: Math.round(expressionMs), unit: 'ms' },
    { name: 'references of a name', value: Math.round(referencesMs), unit: 'ms' },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The most the process held at any moment above what it held at first. */
function watchMemory(): { grown(): number } {
  const start = process.memoryUsage.rss();
  let most = start;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  timer.unref();
  return {
    grown() {
      clearInterval(timer);
      return Math.max(most, process.memoryUsage.rss()) - start;
    },
  };
}

async function writeArchive(file: string): Promise<number> {
  const tar = pack();
  let bytes = 0;
  async function fill(): Promise<void> {
    for (let number = 0; number < FILES; number += 1) {
      const { path, text } = generatedFile(number);
      bytes += Buffer.byteLength(text);
      await new Promise<void>((resolve, reject) => {
        tar.entry({ name: `sample-main/${path}` }, text, (error) => (error ? reject(error) : resolve()));
      });
    }
    tar.finalize();
  }
  await Promise.all([fill(), pipeline(tar, createGzip({ level: 1 }), createWriteStream(file))]);
  return bytes;
}
