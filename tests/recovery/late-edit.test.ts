/** A deliverer that is frozen right before it shows a status, thawed when the run is over, and killed right after its request. */
import { expect, test } from 'vitest';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { labelsOf, statusNote } from '../helpers/labels.ts';
import { isStopped, openStation } from '../helpers/recovery.ts';
import { sharedPlace } from '../helpers/recovery-place.ts';
import { openScene, patiently, quiet } from '../helpers/scene.ts';

const place = sharedPlace();

test.each([
  ['note', 'gitlab PUT /notes/ID#1', /\/issues\/1\/notes\/\d+$/],
  // The first is that of the start.
  ['label', 'gitlab PUT #2', /\/issues\/1$/],
])(
  'a status %s that a deliverer changed late before it died is put right without anybody acting',
  async (_what, point, changed) => {
    const station = await openStation(place);
    try {
      const scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
      const env = { KILL_AT: point, KILL_WHEN: 'before', KILL_SIGNAL: 'SIGSTOP', KILL_NEXT: '1' };
      const frozen = station.worker(env);
      await scene.as('alice').act(1, 'plan');
      await patiently(async () => ({ done: await isStopped(frozen), value: frozen.lines.slice(-3) }));
      await station.survivor();
      await scene.reach(1, 'NEEDS_INPUT');
      await scene.as('alice').act(1, 'continue');
      await scene.reach(1, 'COMPLETED');
      const right = { note: statusNote(scene, 1).body, labels: await labelsOf(scene, 1) };
      const changes = () =>
        place.sandbox.state.journal.filter(({ method, path }) => method === 'PUT' && changed.test(path)).length;
      const before = changes();

      frozen.kill('SIGCONT');
      await frozen.exit;
      await quiet(station);

      expect(frozen.ended()?.signal).toBe('SIGKILL');
      expect(right).toMatchObject({ note: expect.stringContaining('Completed'), labels: ['workplan::completed'] });
      // The late one, and the one that put it right.
      expect(changes() - before).toBe(2);
      expect({ note: statusNote(scene, 1).body, labels: await labelsOf(scene, 1) }).toEqual(right);
    } finally {
      await station.stop();
    }
  },
);
