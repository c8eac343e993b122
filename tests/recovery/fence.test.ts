/**
 * The fence alone keeps a worker from writing that was taken over before anything new was appended: the sequence it expects still stands
 * then. Without the fence's check in `write_runs` this test fails, and so does the chaos suite when it meets such a moment.
 */
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { fault } from '../helpers/faults.ts';
import { fenceProblems } from '../helpers/invariants.ts';
import { isStopped, openStation, openTemplate } from '../helpers/recovery.ts';
import { openScene, patiently } from '../helpers/scene.ts';

test('a worker frozen before its write appends nothing while the next one is at its first effect', async () => {
  const template = await openTemplate();
  const sandbox = await startSandbox();
  const station = await openStation({ template, sandbox });
  try {
    const scene = await openScene(station, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
    const frozen = station.worker({ KILL_AT: 'write_runs#1', KILL_WHEN: 'before', KILL_SIGNAL: 'SIGSTOP' });
    await scene.as('alice').act(1, 'plan');
    await patiently(async () => ({ done: await isStopped(frozen), value: frozen.lines.slice(-3) }));
    // Whoever takes over is at its first effect, the look at the branch, for as long as the test wants.
    await fault(
      { sandbox },
      { method: 'GET', path: `^/projects/${scene.id}/repository/branches/`, delayMs: 8000, times: 3 },
    );
    await station.survivor();
    const claims = async () => (await station.audit()).filter((entry) => entry.what === 'claim').map(({ app }) => app);
    await patiently(async () => ({ done: (await claims()).includes('survivor'), value: await claims() }));

    frozen.kill('SIGCONT');
    await patiently(async () => ({
      done: frozen.lines.some((line) => line.msg === 'run left'),
      value: frozen.lines.slice(-3),
    }));

    const written = (await station.audit()).filter((entry) => entry.what === 'event' && entry.app === 'process');
    expect(written.map(({ type }) => type)).toEqual([]);
    await scene.reach(1, 'COMPLETED', 'FAILED');
    expect(fenceProblems(await station.audit())).toEqual([]);
  } finally {
    await station.stop();
    await sandbox.close();
    await template.drop();
  }
});
