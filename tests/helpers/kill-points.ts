/** Lives a story once for every change that a worker makes in it, and kills the worker right before or right after that change. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxHandle } from '../../sandbox/server.ts';
import type { StatusAnswer } from '../../src/app/status.ts';
import { fingerprint } from './invariants.ts';
import { openStation, type Station, type Template, type Worker } from './recovery.ts';
import { openScene, patiently, type Scene, type SceneOptions } from './scene.ts';

export interface Story {
  name: string;
  issue: SceneOptions['issues'][number];
  files: Record<string, string>;
  /** Which of the points are worth a life; absent: all. */
  only?: RegExp;
  begin(scene: Scene): Promise<void>;
  /** What people do next; called again and again with the status as it is, and says when nothing is left to be done. */
  next(scene: Scene, status: StatusAnswer): Promise<boolean>;
  /** Sentences about what is wrong at the end. */
  check(station: Station, scene: Scene): Promise<string[]>;
}

export interface KillReport {
  points: string[];
  kills: number;
  /** Kills that came: where appends were gathered otherwise, a point may not. */
  reached: number;
  /** What was wrong after which kill. */
  failed: string[];
  /** Kinds of our notes at the end of each life: of those without a kill, then of the others. */
  notes: string[][];
}

interface Kill {
  point: string;
  when: 'before' | 'after';
}

interface Life {
  problems: string[];
  passed: string[];
  killed: boolean;
  notes: string[];
}

/** Lives of different databases side by side: most of the time each waits for a hold to lapse. */
const AT_ONCE = 6;
/** For one life, on a machine that has much else to do. */
const LONGEST_MS = 180_000;
/** Lives without a kill that say which points there are: which outcomes share an append depends on the moment. */
const CLEAN_LIVES = 3;

export async function killAtEachPoint(
  story: Story,
  place: { template: Template; sandbox: SandboxHandle },
): Promise<KillReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'planwright-kill-'));
  const live = (kill: Kill | null, name: string) => liveOnce(story, place, kill, path.join(folder, name));
  try {
    const clean = await sideBySide(
      Array.from({ length: CLEAN_LIVES }, (_, index) => () => live(null, `clean-${index}`)),
    );
    const passed = [...new Set(clean.flatMap((life) => life.passed))];
    const points = passed.filter((point) => story.only?.test(point) ?? true);
    const kills = points.flatMap((point): Kill[] =>
      point.startsWith('take_')
        ? [{ point, when: 'after' }]
        : (['before', 'after'] as const).map((when) => ({ point, when })),
    );
    const lives = await sideBySide(kills.map((kill, index) => () => live(kill, `run-${index}`)));
    const named = (life: Life, what: string): string[] =>
      life.problems.length > 0 ? [`${what}: ${life.problems.join('; ')}`] : [];
    return {
      points,
      kills: kills.length,
      reached: lives.filter((life) => life.killed).length,
      failed: [
        ...clean.flatMap((life) => named(life, 'without a kill')),
        ...lives.flatMap((life, index) => named(life, `${kills[index]?.when} ${kills[index]?.point}`)),
      ],
      notes: [...clean, ...lives].map((life) => life.notes),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function liveOnce(
  story: Story,
  place: { template: Template; sandbox: SandboxHandle },
  kill: Kill | null,
  log: string,
): Promise<Life> {
  const station = await openStation(place);
  try {
    const name = `${story.name}/${path.basename(log)}`;
    const scene = await openScene(station, { path: name, files: story.files, issues: [story.issue] });
    const worker = station.worker({
      KILL_LOG: log,
      ...(kill ? { KILL_AT: kill.point, KILL_WHEN: kill.when } : {}),
    });
    await story.begin(scene);
    await carryOn(story, station, scene, worker);
    const killed = worker.ended()?.signal === 'SIGKILL';
    const lines = killed ? '' : problemsOfLog(worker);
    const problems = [...(await story.check(station, scene)), ...(lines === '' ? [] : [lines])];
    return { problems, passed: readFileSync(log, 'utf8').trim().split('\n'), killed, notes: fingerprint(scene) };
  } catch (error) {
    return { problems: [String(error)], passed: [], killed: true, notes: [] };
  } finally {
    await station.stop();
  }
}

/** A worker that nobody killed must not have ended by itself. */
function problemsOfLog(worker: Worker): string {
  const ended = worker.ended();
  return ended === null
    ? ''
    : `the worker ended with ${JSON.stringify(ended)}: ${JSON.stringify(worker.lines.slice(-3))}`;
}

/** People do their part, and a second worker starts when the first is dead. */
async function carryOn(story: Story, station: Station, scene: Scene, worker: Worker): Promise<void> {
  let survived = false;
  await patiently(async () => {
    if (worker.ended() !== null && !survived) {
      survived = true;
      await station.survivor();
    }
    const status = await scene.now(1);
    const done = await story.next(scene, status);
    const { inbox, outbox } = station.infra;
    const quiet = done && (await inbox.nextDueInMs()) === null && (await outbox.nextDueInMs()) === null;
    const { generationStatus, movement, iteration, noteUrls } = status;
    return { done: quiet, value: { generationStatus, movement, iteration, notes: noteUrls.length } };
  }, LONGEST_MS);
}

async function sideBySide<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const queue = works.entries();
  const one = async (): Promise<void> => {
    for (const [index, work] of queue) results[index] = await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return results;
}
