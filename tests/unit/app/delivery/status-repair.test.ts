/** Edits of status notes: GitLab tells of each, and what says something else than the run is written anew. */
import { describe, expect, test } from 'vitest';
import { announce } from '../../../../src/app/announce.ts';
import { handleDelivery } from '../../../../src/app/delivery/inbox.ts';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { statusNoteOf } from '../../../../src/app/delivery/status-note.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import type { GitLabNote } from '../../../../src/ports/gitlab.ts';
import { appendTo, ids, runSettings, startRun } from '../setup.ts';
import { deliveryOf, inboxOf, noteHook } from './inbox-desk.ts';
import { deliverer, never } from './outbox-desk.ts';

const own = marker({ run: 'run-a', kind: 'status' });
const ended: RunEventBody = { type: 'ended', status: 'completed', reason: 'done', message: '', by: null };

const moved: RunEventBody = {
  type: 'movement_started',
  movement: 'plan',
  iteration: 1,
  movementIteration: 1,
  subs: [],
};

/** A run whose status note stands on its item as it should. `reads`: how often GitLab was asked for the note. */
async function desk() {
  const { service, deps } = inboxOf();
  await startRun(service.store);
  let reads = 0;
  const counted = {
    ...deps,
    gitlab: {
      ...deps.gitlab,
      async note(...given: Parameters<typeof deps.gitlab.note>) {
        reads += 1;
        return service.gitlab.note(...given);
      },
    },
  };
  let last = 0;
  const outboxDeps = {
    ...(await deliverer()).deps,
    outbox: service.outbox,
    gitlab: service.gitlab,
    clock: service.clock,
  };
  const delivering = { ...outboxDeps, log: service.log, statusNote: (id: string) => statusNoteOf(service.store, id) };

  /** Events with all that follows for people, as the runner appends them. */
  async function happens(...events: RunEventBody[]): Promise<void> {
    const { row, events: log } = (await service.store.load('run-a')) ?? { row: null, events: [] };
    if (!row) throw new Error('there is no run');
    const at = service.clock.now().toISOString();
    const fresh = events.map((event, index) => ({ ...event, at, v: 1, seq: row.seq + index + 1 }));
    const state = fold('run-a', [...log, ...fresh] as typeof log);
    const said = announce(state, events, runSettings);
    await appendTo(service.store, 'run-a', events, said.row, said.outbox);
  }
  const deliver = () => deliverOutbox(delivering, never);
  async function note(): Promise<GitLabNote> {
    const found = (await service.gitlab.notes(1, 1)).find((one) => one.author.username === 'planwright');
    if (!found) throw new Error('there is no status note');
    return found;
  }
  /** The hook of an edit, with the text that stood there right after it. */
  async function told(edited: GitLabNote, change: Record<string, unknown> = {}): Promise<string> {
    last += 1;
    return handleDelivery(counted, deliveryOf(noteHook(edited, { action: 'update', ...change }), `edit-${last}`));
  }
  /** As a deliverer that comes late does it, or a person. */
  async function writeOver(body: string, username = 'planwright'): Promise<GitLabNote> {
    service.gitlab.edit(username, 1, (await note()).id, body);
    return (await service.gitlab.note(1, 1, (await note()).id)) as GitLabNote;
  }
  await happens({ type: 'pinned', effectId: 'p', commit: 'c0ffee', language: 'en' });
  await deliver();
  return { service, deps: counted, happens, deliver, note, told, writeOver, reads: () => reads };
}

describe('a status note that was written over', () => {
  test('with the text of before is put right', async () => {
    const { service, happens, deliver, note, told, writeOver } = await desk();
    const before = (await note()).body;
    await happens(ended);
    await deliver();
    const right = (await note()).body;
    const edited = await writeOver(before);

    expect(await told(edited)).toBe('status note put right');
    await deliver();

    expect((await note()).body).toBe(right);
    expect(right).toContain('Completed');
    expect(service.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'a status note said something else than its run, it is put right',
      }),
    );
  });

  test('is put right once, and the edit that does it leads to nothing more', async () => {
    const { service, happens, deliver, note, told, writeOver, reads } = await desk();
    const before = (await note()).body;
    await happens(ended);
    await deliver();
    const edited = await writeOver(before);
    await told(edited);
    await told(edited);
    await deliver();

    const again = [await told(edited), await told(await note())];

    expect(again).toEqual(['ignored: status note as it should be', 'ignored: status note as it should be']);
    expect(service.store.data.outbox).toEqual([]);
    expect(reads()).toBe(2);
  });

  test('by a person, or without its marker, is put right too', async () => {
    const { happens, deliver, note, told, writeOver } = await desk();
    await happens(ended);
    await deliver();
    const right = await note();
    const edited = await writeOver('I like this better.', 'maria');
    const hook = { ...edited, author: right.author };

    // Who edits a note does not become its author.
    expect(await told(hook)).toBe('status note put right');
    await deliver();

    expect((await note()).body).toBe(right.body);
  });

  test.each([
    ['of a run that does not exist', marker({ run: '6f9619ff-8b86-4011-b42d-00c04fc964ff', kind: 'status' })],
    ['of another kind', marker({ run: 'run-a', kind: 'question', q: 'scope' })],
  ])('with a marker %s in place of its own is put right too', async (_what, other) => {
    const { happens, deliver, note, told, writeOver } = await desk();
    await happens(ended);
    await deliver();
    const right = (await note()).body;

    expect(await told(await writeOver(`Something else.\n\n${other}`))).toBe('status note put right');
    await deliver();

    expect((await note()).body).toBe(right);
  });

  test('again and again is left as it is after some time', async () => {
    const { service, happens, deliver, note, told, writeOver } = await desk();
    const before = (await note()).body;
    await happens(ended);
    await deliver();
    const words: string[] = [];
    for (let time = 0; time < 12; time += 1) {
      words.push(await told(await writeOver(before)));
      await deliver();
    }

    expect(words.filter((word) => word === 'status note put right')).toHaveLength(10);
    expect(words.at(-1)).toBe('ignored: put right too often');
    expect(service.store.data.outbox).toEqual([]);
  });
});

describe('an edit of a status note asks nothing of GitLab', () => {
  test('when it says what the run says', async () => {
    const { happens, deliver, note, told, reads } = await desk();
    const words = [await told(await note())];
    await happens(ended);
    await deliver();
    words.push(await told(await note()));

    expect(words).toEqual(['ignored: status note as it should be', 'ignored: status note as it should be']);
    expect(reads()).toBe(0);
  });

  test('when the run is a little further than its note', async () => {
    const { service, happens, note, told, reads } = await desk();
    await happens(moved);
    service.store.data.outbox = [];

    expect(await told(await note())).toBe('ignored: status note as it should be');
    expect(reads()).toBe(0);
  });

  test('when the newer text is on its way', async () => {
    const { happens, note, told, reads } = await desk();
    await happens(ended);

    expect(await told(await note())).toBe('ignored: status note is to be written');
    expect(reads()).toBe(0);
  });

  test('when a person wrote it and only copied the marker', async () => {
    const { service, happens, deliver, told, reads } = await desk();
    await happens(ended);
    await deliver();
    const note = service.gitlab.say('alice', 1, `Mine\n\n${own}`);

    expect(await told(note)).toBe('ignored: edited');
    expect(reads()).toBe(0);
  });

  test('when its run is not of this item', async () => {
    const { service, told, reads } = await desk();
    await startRun(service.store, { id: 'run-b', globalId: 502 });
    const note = service.gitlab.say('planwright', 1, `Completed\n\n${marker({ run: 'run-b', kind: 'status' })}`);

    expect(await told(note)).toBe('ignored: no status note');
    expect(reads()).toBe(0);
  });
});

test('how far a run is counts once it has had time to be told', async () => {
  const { service, happens, deliver, note, told, writeOver } = await desk();
  const before = (await note()).body;
  await happens(moved);
  await deliver();
  const right = (await note()).body;
  const edited = await writeOver(before);
  service.clock.advance(60_000);

  expect(right).not.toBe(before);
  expect(await told(edited)).toBe('status note put right');
  await deliver();

  expect((await note()).body).toBe(right);
});

describe('a status label', () => {
  /** The hook of labels that `username` changed, `labels` being all there are since. */
  function relabelled(labels: string[], userId: number = ids.planwright, id = 'relabelled') {
    const titles = (names: string[]) => names.map((title) => ({ title }));
    const changes = { labels: { previous: titles(['workplan::completed']), current: titles(labels) } };
    const item = { id: 501, iid: 1, action: 'update', project_id: 1 };
    return deliveryOf(
      { object_kind: 'issue', user: { id: userId }, project: { id: 1 }, object_attributes: item, changes },
      id,
    );
  }
  const old = 'workplan::generating';
  async function labelled(...names: string[]) {
    const made = await desk();
    await made.happens(ended);
    await made.deliver();
    const { service } = made;
    const labels = async () => (await service.gitlab.issue(1, 1))?.labels ?? [];
    const { add, remove } = { add: names, remove: (await labels()).filter((name) => !names.includes(name)) };
    service.gitlab.relabel('planwright', 1, { add, remove });
    return { ...made, labels };
  }

  test('that the service set after a newer one is put right', async () => {
    const { deps, deliver, labels } = await labelled(old, 'backend');

    expect(await handleDelivery(deps, relabelled([old, 'backend']))).toBe('status label put right');
    await deliver();

    expect((await labels()).toSorted()).toEqual(['backend', 'workplan::completed']);
  });

  test('of a cancelled run is put right too', async () => {
    const made = await desk();
    await made.happens({ type: 'ended', status: 'canceled', reason: 'canceled', message: '', by: null });
    await made.deliver();
    const { service } = made;
    service.gitlab.relabel('planwright', 1, { add: [old], remove: ['workplan::canceled'] });

    expect(await handleDelivery(made.deps, relabelled([old]))).toBe('status label put right');
    await made.deliver();

    expect((await service.gitlab.issue(1, 1))?.labels).toContain('workplan::canceled');
    expect((await service.gitlab.issue(1, 1))?.labels).not.toContain(old);
  });

  test.each([
    ["that is the run's", ['workplan::completed']],
    ['that was taken away', ['backend']],
  ])('%s is left alone', async (_what, names) => {
    const { service, deps } = await labelled(...names);

    expect(await handleDelivery(deps, relabelled(names))).toBe('ignored: own labels');
    expect(service.store.data.outbox).toEqual([]);
  });

  test('that is to be set just now, or stands right by now, is left alone', async () => {
    const { service, deps, happens } = await desk();
    await happens(ended);
    const waiting = await handleDelivery(deps, relabelled([old]));
    service.store.data.outbox = [];
    service.gitlab.relabel('planwright', 1, { add: ['workplan::completed'] });

    expect(waiting).toBe('ignored: status label is to be set');
    expect(await handleDelivery(deps, relabelled([old]))).toBe('ignored: own labels');
  });
});
