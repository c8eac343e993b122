/** What must hold at the end of a run, whatever happened on the way (D5, D6, D7, D11). */
import { findMarkers } from '../../src/domain/text/marker.ts';
import { labelsOf } from './labels.ts';
import type { Station } from './recovery.ts';
import { patiently, type Scene } from './scene.ts';

/** Kinds of the service's notes on the item, sorted: the same for every run that asked the same. */
export function fingerprint(scene: Scene): string[] {
  return scene
    .ours(1)
    .flatMap((note) => findMarkers(note.body).map((fields) => `${fields['kind']} ${fields['q'] ?? ''}`.trim()))
    .sort();
}

/** Sentences about what is wrong; empty: the run completed, and everything is there exactly once. */
export async function checkRun(station: Station, scene: Scene): Promise<string[]> {
  const problems: string[] = [];
  const say = (wrong: boolean, problem: string): void => {
    if (wrong) problems.push(problem);
  };
  const status = await scene.now(1);
  const { runId } = status;
  if (runId === null) return ['there is no run'];
  say(
    status.generationStatus !== 'COMPLETED',
    `the run is ${status.generationStatus} (${status.reason ?? 'no reason'})`,
  );
  say(status.scoreStatus !== 'EVALUATED', `the score is ${status.scoreStatus}`);
  say(status.answers.length !== 1, `${status.answers.length} answers were read`);
  say((status.deliveryFailed ?? []).length > 0, `not delivered: ${status.deliveryFailed?.join()}`);

  const markers = scene.markers(1);
  say(new Set(markers).size !== markers.length, `a note stands twice: ${markers.join(', ')}`);
  say(scene.ours(1).length !== markers.length, 'a note of the service has no marker or several');
  const statusNote = scene.ours(1).find((note) => note.body.includes('kind=status'));
  say(!statusNote?.body.includes('Completed'), `the status note says: ${statusNote?.body.slice(0, 80)}`);
  const planNote = scene.ours(1).find((note) => note.body.includes('kind=plan'));
  say(!planNote?.body.includes(`${status.score?.value}/100`), 'the plan note does not show the score');
  const recorded = await station.infra.outbox.notesOfRun(runId);
  say(recorded.length !== markers.length, `${recorded.length} notes are recorded, ${markers.length} stand on the item`);
  for (const note of recorded)
    say(!scene.ours(1).some((own) => own.id === note.noteId), `the recorded note ${note.noteId} is not on the item`);

  const shown = (await labelsOf(scene, 1)).filter((name) => name.startsWith('workplan'));
  say(shown.join() !== 'workplan::completed', `the item's labels show: ${shown.join(', ') || 'nothing'}`);

  problems.push(...(await checkStore(station, runId)));
  return problems;
}

interface Row {
  live: boolean;
  owner: string | null;
  seq: number;
  fence: number;
}

async function checkStore(station: Station, runId: string): Promise<string[]> {
  const { db } = station.infra;
  const problems: string[] = [];
  const say = (wrong: boolean, problem: string): void => {
    if (wrong) problems.push(problem);
  };
  const rows = await db.execute<Row>('select live, owner, seq, fence from runs');
  const [row] = rows;
  say(rows.length !== 1, `${rows.length} runs were started`);
  say(row?.live !== false || row.owner !== null, `the run is still held or live: ${JSON.stringify(row)}`);
  const events = await db.execute<{ seq: number; type: string }>(
    'select seq, type from events where run_id = $1 order by seq',
    [runId],
  );
  say(events.some((event, index) => event.seq !== index + 1) || events.length !== row?.seq, 'the log has gaps');
  const types = events.map((event) => event.type);
  for (const once of ['run_started', 'pinned', 'paused', 'resumed', 'replies_read', 'ended'])
    say(
      types.filter((type) => type === once).length !== 1,
      `${once} stands ${types.filter((type) => type === once).length} times`,
    );
  say(types.at(-1) !== 'ended', `the last event is ${types.at(-1)}`);
  problems.push(...fenceProblems(await station.audit()));
  const notDone = (states: string) =>
    db.execute<{ state: string; error: string | null; event: string }>(
      `select state, error, event from inbox where state in (${states})`,
    );
  // The hook of the last note is told a moment after the note stands.
  await patiently(async () => ({ done: (await notDone("'open'")).length === 0, value: null }), 10_000).catch(
    () => null,
  );
  for (const { state, event, error } of await notDone("'open', 'failed'"))
    problems.push(`a delivery is ${state}: ${event} ${error ?? ''}`);
  return problems;
}

/** Written without a claim: by people, and by who counts their answers. */
const FROM_OUTSIDE: readonly (string | null)[] = ['run_started', 'resumed', 'answers_seen'];

/** Who writes events under a fence is who claimed it (D6): nothing is written under an old one. */
export function fenceProblems(audit: Awaited<ReturnType<Station['audit']>>): string[] {
  const claimed = new Map<number, string>();
  const problems: string[] = [];
  let fence = 0;
  for (const entry of audit) {
    if (entry.what === 'claim') {
      if (entry.fence <= fence) problems.push(`the fence went from ${fence} to ${entry.fence}`);
      fence = entry.fence;
      claimed.set(entry.fence, entry.app);
    } else if (!FROM_OUTSIDE.includes(entry.type) && claimed.get(fence) !== entry.app)
      problems.push(`${entry.app} wrote event ${entry.seq} (${entry.type}) while ${claimed.get(fence)} held the run`);
  }
  return problems;
}
