/**
 * SIGKILL of a worker process right before and right after every change it makes (issue of the main job: "it holds"), for every
 * such point that a run without a kill passes; then another worker takes over. PostgreSQL, Redis and the sandbox are real servers.
 */
import { expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES, THIN_ISSUE } from '../fixtures/small-project.ts';
import { checkRun, fenceProblems } from '../helpers/invariants.ts';
import { type KillReport, killAtEachPoint, type Story } from '../helpers/kill-points.ts';
import type { Station } from '../helpers/recovery.ts';
import { sharedPlace } from '../helpers/recovery-place.ts';
import type { Scene } from '../helpers/scene.ts';

const place = sharedPlace();

function answeredRun(): Story {
  const answered = new WeakSet<Scene>();
  return {
    name: 'answered',
    issue: ASKING_ISSUE,
    files: SMALL_FILES,
    begin: async (scene) => void (await scene.as('alice').comment(1, '/workplan plan')),
    async next(scene, status) {
      const [question] = status.questions;
      if (status.generationStatus === 'NEEDS_INPUT' && question && question.noteUrl !== null && !answered.has(scene)) {
        answered.add(scene);
        const note = scene.ours(1).find((own) => question.noteUrl?.endsWith(`#note_${own.id}`));
        await scene.as('bob').reply(1, note?.discussionId ?? '', '1');
        await scene.as('alice').comment(1, '/workplan continue');
      }
      return ['COMPLETED', 'FAILED', 'CANCELED'].includes(status.generationStatus);
    },
    check: checkRun,
  };
}

/** A Guest is refused in her thread, the item is too thin and its gate is told, then the run is cancelled. */
function cancelledRun(): Story {
  const canceled = new WeakSet<Scene>();
  return {
    name: 'cancelled',
    // The others are those of the run that is answered.
    only: /^(add_outbox|start_runs|write_runs|gitlab POST)/,
    issue: THIN_ISSUE,
    files: SMALL_FILES,
    async begin(scene) {
      await scene.as('carol').comment(1, '/workplan plan');
      await scene.as('alice').comment(1, '/workplan plan');
    },
    async next(scene, status) {
      // Recorded, status and gate: of a note that is not, the cancel may find nothing or takes it away.
      const isTold = status.noteUrls.length === 2;
      if (status.generationStatus === 'NEEDS_INPUT' && isTold && !canceled.has(scene)) {
        canceled.add(scene);
        await scene.as('alice').comment(1, '/workplan cancel');
      }
      return ['COMPLETED', 'FAILED', 'CANCELED'].includes(status.generationStatus);
    },
    check: checkCancelled,
  };
}

async function checkCancelled(station: Station, scene: Scene): Promise<string[]> {
  const problems: string[] = [];
  const say = (wrong: boolean, problem: string): void => {
    if (wrong) problems.push(problem);
  };
  const status = await scene.now(1);
  say(status.generationStatus !== 'CANCELED', `the run is ${status.generationStatus} (${status.reason})`);
  const markers = scene.markers(1);
  say(new Set(markers).size !== markers.length, `a note stands twice: ${markers.join(', ')}`);
  const refusals = scene.ours(1).filter((note) => note.body.includes('kind=reply'));
  say(refusals.length !== 1, `${refusals.length} refusals stand on the item`);
  say((await station.infra.db.execute('select id from runs')).length !== 1, 'there is not one run');
  const ends = await station.infra.db.execute(`select seq from events where type = 'ended'`);
  say(ends.length !== 1, `the run ended ${ends.length} times`);
  // Whoever handles a cancel ends the run, under no hold: its fence is raised by the same statement.
  const audit = (await station.audit()).filter((entry) => entry.type !== 'ended');
  problems.push(...fenceProblems(audit));
  return problems;
}

function expectAllWell(report: KillReport): void {
  console.log(`${report.points.length} points, ${report.kills} kills, ${report.reached} of them reached`);
  expect(report.failed).toEqual([]);
  // Every life ends with the same notes as one without a kill.
  expect(new Set(report.notes.map((notes) => notes.join())).size).toBe(1);
  // Points at the end of the list may not come where appends were gathered otherwise.
  expect(report.reached).toBeGreaterThan(report.kills * 0.75);
}

test('whatever the worker was about to do or had just done, another one brings the run to its end', async () => {
  expectAllWell(await killAtEachPoint(answeredRun(), place));
}, 1_200_000);

test('the same where a command is refused, a gate is told and the run is cancelled', async () => {
  const report = await killAtEachPoint(cancelledRun(), place);

  expectAllWell(report);
  expect(report.points.join()).toMatch(/add_outbox.*POST \/discussions\/ID\/notes/);
}, 1_200_000);
