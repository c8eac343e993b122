/**
 * SIGKILL of a worker process right before and right after every change it makes (issue of the main job: "it holds"), for every
 * such point that a run without a kill passes; then another worker takes over. PostgreSQL, Redis and the sandbox are real servers.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { checkRun, fingerprint } from '../helpers/invariants.ts';
import { openStation, openTemplate, type Station, type Template, type Worker } from '../helpers/recovery.ts';
import { openScene, patiently, type Scene } from '../helpers/scene.ts';

interface Kill {
  point: string;
  when: 'before' | 'after';
}

/** Runs of different databases side by side: most of the time each waits for a hold to lapse. */
const AT_ONCE = 6;
/** For one run, on a machine that has much else to do. */
const LONGEST_MS = 180_000;
/** Runs without a kill that say which points there are: which outcomes share an append depends on the moment. */
const CLEAN_RUNS = 3;

let template: Template;
let sandbox: SandboxHandle;
let folder: string;

beforeAll(async () => {
  template = await openTemplate();
  sandbox = await startSandbox();
  folder = mkdtempSync(path.join(tmpdir(), 'planwright-kill-'));
});
afterAll(async () => {
  await sandbox.close();
  await template.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Plan, question, answer, Continue, COMPLETED, with a worker that dies at a point. Answers what is wrong with the end, and what was passed. */
async function live(
  kill: Kill | null,
  name: string,
): Promise<{ problems: string[]; passed: string[]; killed: boolean; notes: string[] }> {
  const station = await openStation({ template, sandbox });
  const log = path.join(folder, name);
  try {
    const scene = await openScene(station, { path: `kill/${name}`, files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const worker = station.worker({
      KILL_LOG: log,
      ...(kill ? { KILL_AT: kill.point, KILL_WHEN: kill.when } : {}),
    });
    await scene.as('alice').comment(1, '/workplan plan');
    await carryOn(station, scene, worker);
    const killed = worker.ended()?.signal === 'SIGKILL';
    const lines = killed ? '' : problemsOfLog(worker);
    const problems = [...(await checkRun(station, scene)), ...(lines === '' ? [] : [lines])];
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
async function carryOn(station: Station, scene: Scene, worker: Worker): Promise<void> {
  let survived = false;
  let answered = false;
  await patiently(async () => {
    if (worker.ended() !== null && !survived) {
      survived = true;
      await station.survivor();
    }
    const status = await scene.now(1);
    const [question] = status.questions;
    if (status.generationStatus === 'NEEDS_INPUT' && question && question.noteUrl !== null && !answered) {
      answered = true;
      const note = scene.ours(1).find((own) => question.noteUrl?.endsWith(`#note_${own.id}`));
      await scene.as('bob').reply(1, note?.discussionId ?? '', '1');
      await scene.as('alice').comment(1, '/workplan continue');
    }
    const { inbox, outbox } = station.infra;
    const over = ['COMPLETED', 'FAILED', 'CANCELED'].includes(status.generationStatus);
    const quiet = over && (await inbox.nextDueInMs()) === null && (await outbox.nextDueInMs()) === null;
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

test('whatever the worker was about to do or had just done, another one brings the run to its end', async () => {
  const started = performance.now();
  const clean = await sideBySide(Array.from({ length: CLEAN_RUNS }, (_, index) => () => live(null, `clean-${index}`)));
  expect(clean.flatMap((run) => run.problems)).toEqual([]);
  const points = [...new Set(clean.flatMap((run) => run.passed))];
  const kills = points.flatMap((point): Kill[] =>
    point.startsWith('take_')
      ? [{ point, when: 'after' }]
      : (['before', 'after'] as const).map((when) => ({ point, when })),
  );

  const runs = await sideBySide(kills.map((kill, index) => () => live(kill, `run-${index}`)));

  const failed = runs.flatMap((run, index) =>
    run.problems.length > 0 ? [`${kills[index]?.when} ${kills[index]?.point}: ${run.problems.join('; ')}`] : [],
  );
  const reached = runs.filter((run) => run.killed).length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${points.length} points, ${kills.length} kills, ${reached} of them reached, ${seconds} s`);
  expect(failed).toEqual([]);
  // Every run ends with the same notes as one without a kill.
  expect(new Set(runs.map((run) => run.notes.join())).size).toBe(1);
  expect(runs[0]?.notes).toEqual(clean[0]?.notes);
  // Points at the end of the list may not come where appends were gathered otherwise.
  expect(reached).toBeGreaterThan(kills.length * 0.85);
}, 900_000);
