/** A deliverer that is frozen right before its edit of the status note, thawed when the run is over, and killed right after the edit. */
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { ASKING_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { statusNote } from '../helpers/labels.ts';
import { isStopped, openStation, openTemplate } from '../helpers/recovery.ts';
import { openScene, patiently, quiet } from '../helpers/scene.ts';

test('a status note that a deliverer wrote over before it died is put right without anybody acting', async () => {
  const template = await openTemplate();
  const sandbox = await startSandbox();
  const station = await openStation({ template, sandbox });
  try {
    const scene = await openScene(station, { files: SMALL_FILES, issues: [ASKING_ISSUE] });
    const env = { KILL_AT: 'gitlab PUT /notes/ID#1', KILL_WHEN: 'before', KILL_SIGNAL: 'SIGSTOP', KILL_NEXT: '1' };
    const frozen = station.worker(env);
    await scene.as('alice').act(1, 'plan');
    await patiently(async () => ({ done: await isStopped(frozen), value: frozen.lines.slice(-3) }));
    await station.survivor();
    await scene.reach(1, 'NEEDS_INPUT');
    await scene.as('alice').act(1, 'continue');
    await scene.reach(1, 'COMPLETED');
    const right = statusNote(scene, 1).body;
    const edits = () =>
      sandbox.state.journal.filter(({ method, path }) => method === 'PUT' && /\/notes\/\d+$/.test(path));
    const before = edits().length;

    frozen.kill('SIGCONT');
    await frozen.exit;
    await quiet(station);

    expect(frozen.ended()?.signal).toBe('SIGKILL');
    expect(right).toContain('Completed');
    // The late one, and the one that put it right.
    expect(edits().length - before).toBe(2);
    expect(statusNote(scene, 1).body).toBe(right);
  } finally {
    await station.stop();
    await sandbox.close();
    await template.drop();
  }
});
