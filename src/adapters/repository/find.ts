import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PermanentFailure } from '../../ports/failures.ts';
import type { FindHit, FindOptions } from '../../ports/repository.ts';
import { globMatcher } from './glob.ts';

/** Bounds of a search through all text. */
export interface FindLimits {
  /** The longest an expression may take, in milliseconds; a worker thread that takes longer is ended. */
  regexpMs: number;
  /** Characters looked at together before the process turns to its other work. */
  portion: number;
}

export const findLimits: FindLimits = { regexpMs: 3_000, portion: 2 * 1024 * 1024 };

const MAX_LINE = 300;
/** Longer lines are of no use to anybody, and slow expressions down. */
const MAX_SEARCHED_LINE = 4_000;

interface Text {
  path: string;
  text: string;
}

/** Lines of texts that hold a pattern, in the order of the texts. */
export async function findLines(
  texts: Iterable<Text>,
  options: FindOptions,
  limits: FindLimits = findLimits,
): Promise<{ hits: FindHit[]; more: boolean }> {
  const fits = options.glob === undefined ? () => true : globMatcher(options.glob);
  if (fits === null)
    throw new PermanentFailure('pattern_invalid', `the glob ${options.glob} has too many alternatives`);
  const wanted = portions(texts, fits, limits.portion);
  return options.regexp ? findByExpression(wanted, options, limits) : findAsWritten(wanted, options);
}

function* portions(texts: Iterable<Text>, fits: (path: string) => boolean, size: number): Generator<Text[]> {
  let portion: Text[] = [];
  let length = 0;
  for (const one of texts) {
    if (!fits(one.path)) continue;
    portion.push(one);
    length += one.text.length;
    if (length < size) continue;
    yield portion;
    portion = [];
    length = 0;
  }
  if (portion.length > 0) yield portion;
}

async function findAsWritten(
  wanted: Iterable<Text[]>,
  { pattern, ignoreCase, limit, signal }: FindOptions,
): Promise<{ hits: FindHit[]; more: boolean }> {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const needle = fold(pattern);
  const hits: FindHit[] = [];
  for (const portion of wanted) {
    signal?.throwIfAborted();
    for (const { path, text } of portion) {
      if (!fold(text).includes(needle)) continue;
      const lines = text.split('\n');
      for (const [index, line] of lines.entries()) {
        if (!fold(line).includes(needle)) continue;
        if (hits.length >= limit) return { hits, more: true };
        hits.push({ path, line: index + 1, text: shown(line) });
      }
    }
    await nextTurn();
  }
  return { hits, more: false };
}

/** What the worker thread runs: as text, so that it is the same wherever this file is built to. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const expression = new RegExp(workerData.pattern, workerData.flags);
parentPort.on('message', ({ texts, left }) => {
  const hits = [];
  for (const { path, text } of texts) {
    const lines = text.split('\\n');
    for (let index = 0; index < lines.length && hits.length <= left; index += 1) {
      if (expression.test(lines[index].slice(0, workerData.longest))) hits.push({ path, line: index + 1, text: lines[index] });
    }
  }
  parentPort.postMessage(hits);
});
`;

async function findByExpression(
  wanted: Iterable<Text[]>,
  { pattern, ignoreCase, limit, signal }: FindOptions,
  limits: FindLimits,
): Promise<{ hits: FindHit[]; more: boolean }> {
  const flags = ignoreCase ? 'iu' : 'u';
  const workerData = { pattern, flags: flagsOf(pattern, flags), longest: MAX_SEARCHED_LINE };
  const worker = new Worker(THREAD, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  const hits: FindHit[] = [];
  const started = performance.now();
  try {
    for (const texts of wanted) {
      signal?.throwIfAborted();
      const left = limit - hits.length;
      const found = await answerOf(worker, { texts, left }, limits.regexpMs - (performance.now() - started), signal);
      for (const hit of found) {
        if (hits.length >= limit) return { hits, more: true };
        hits.push({ ...hit, text: shown(hit.text) });
      }
    }
    return { hits, more: false };
  } finally {
    await worker.terminate();
  }
}

/** Expressions that Unicode mode refuses are often written for the plain one. */
function flagsOf(pattern: string, flags: string): string {
  for (const one of [flags, flags.replace('u', '')]) {
    try {
      new RegExp(pattern, one);
      return one;
    } catch (error) {
      if (one === flags) continue;
      const reason = error instanceof Error ? error.message : 'it is no regular expression';
      throw new PermanentFailure('pattern_invalid', `${reason}; correct the expression or search for plain text`);
    }
  }
  return flags;
}

function answerOf(
  worker: Worker,
  message: { texts: Text[]; left: number },
  withinMs: number,
  signal?: AbortSignal,
): Promise<FindHit[]> {
  return new Promise((resolve, reject) => {
    const tooSlow = (): void =>
      fail(
        new PermanentFailure(
          'pattern_too_slow',
          'the expression takes too long; make it simpler, give a glob, or search for plain text',
        ),
      );
    const timer = setTimeout(tooSlow, Math.max(0, withinMs));
    const aborted = (): void => fail(signal?.reason);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      worker.off('message', answered);
      worker.off('error', fail);
    };
    const answered = (hits: FindHit[]): void => {
      done();
      resolve(hits);
    };
    function fail(reason: unknown): void {
      done();
      reject(reason);
    }
    worker.once('message', answered);
    worker.once('error', fail);
    signal?.addEventListener('abort', aborted, { once: true });
    worker.postMessage(message);
  });
}

function shown(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE).toWellFormed()}…` : plain;
}
