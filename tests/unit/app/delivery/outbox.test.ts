import { describe, expect, test } from 'vitest';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import { deliverer, never, question, resume, rowOf, texts, write } from './outbox-desk.ts';

describe('posting', () => {
  test('a note goes out once and is kept with its address', async () => {
    const { service, deps, writes } = await deliverer();
    await write(service, rowOf('plan', 'The plan'));

    expect(await deliverOutbox(deps, never)).toBe(1);

    expect(writes).toEqual(['createNote']);
    const [note] = await service.gitlab.notes(1, 1);
    expect(await service.outbox.notesOfRun('run-a')).toMatchObject([
      { kind: 'plan', noteId: note?.id, url: `https://gitlab.example/gitlab/acme/sample/-/issues/1#note_${note?.id}` },
    ]);
    expect(service.store.data.outbox).toEqual([]);
  });

  test('a question is a discussion of its own, whose replies can be found', async () => {
    const { service, deps, writes } = await deliverer();
    await question(service);

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createDiscussion']);
    const [thread] = await service.gitlab.discussions(1, 1);
    expect(await service.outbox.notesOfRun('run-a')).toMatchObject([{ questionId: 'q1', discussionId: thread?.id }]);
  });

  test('a refusal stands in the command’s own thread', async () => {
    const { service, deps, writes } = await deliverer();
    const command = service.gitlab.say('bob', 1, '/workplan plan please');
    const row = rowOf('reply', 'No.', {
      runId: null,
      replyTo: command.discussionId,
      marker: marker({ kind: 'reply', note: 7 }),
    });
    await service.outbox.add([row], { actionKey: null, deliveryId: null });

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['replyToDiscussion']);
    const [thread] = await service.gitlab.discussions(1, 1);
    expect(thread?.notes.map((note) => note.author.username)).toEqual(['bob', 'planwright']);
  });

  test('rows of an item go out in their order', async () => {
    const { service, deps } = await deliverer();
    await write(service, rowOf('plan', 'first'), rowOf('end', 'second'));

    await deliverOutbox(deps, never);

    expect(await texts(service)).toEqual(['first', 'second']);
  });
});

describe('exactly once', () => {
  test('a note that was posted before a crash is found by its marker and not posted again', async () => {
    const { service, deps, writes } = await deliverer();
    const row = rowOf('plan', 'The plan');
    service.gitlab.say('planwright', 1, row.body);
    await write(service, row);

    await deliverOutbox(deps, never);

    expect(writes).toEqual([]);
    expect(await service.outbox.notesOfRun('run-a')).toHaveLength(1);
  });

  test('found with an older text, it is edited', async () => {
    const { service, deps, writes } = await deliverer();
    service.gitlab.say('planwright', 1, rowOf('plan', 'Old').body);
    await write(service, rowOf('plan', 'New'));

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['updateNote']);
    expect(await texts(service)).toEqual(['New']);
  });

  test('a post whose answer was lost is not repeated blindly', async () => {
    const { service, deps, writes } = await deliverer();
    service.gitlab.failNext('createNote', new TransientFailure('gitlab_unavailable', '502'), true);
    await write(service, rowOf('plan', 'The plan'));

    await deliverOutbox(deps, never);
    service.clock.advance(500);
    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createNote']);
    expect(await texts(service)).toEqual(['The plan']);
    expect(await service.outbox.notesOfRun('run-a')).toHaveLength(1);
  });

  test('of doubles the lowest stays', async () => {
    const { service, deps, writes } = await deliverer();
    const row = rowOf('plan', 'The plan');
    const first = service.gitlab.say('planwright', 1, row.body);
    service.gitlab.say('planwright', 1, row.body);
    service.gitlab.say('planwright', 1, row.body);
    await write(service, row);

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['deleteNote', 'deleteNote']);
    expect((await service.gitlab.notes(1, 1)).map((note) => note.id)).toEqual([first.id]);
    expect(await service.outbox.notesOfRun('run-a')).toMatchObject([{ noteId: first.id }]);
  });

  test('another deliverer that posted at the same moment: after the post the lowest is kept', async () => {
    const { service, deps } = await deliverer();
    const row = rowOf('plan', 'The plan');
    const { createNote } = deps.gitlab;
    let other = 0;
    deps.gitlab.createNote = async (...given) => {
      other = service.gitlab.say('planwright', 1, row.body).id;
      return createNote(...given);
    };
    await write(service, row);

    await deliverOutbox(deps, never);

    expect((await service.gitlab.notes(1, 1)).map((note) => note.id)).toEqual([other]);
  });

  test('somebody else’s note with our marker is not ours', async () => {
    const { service, deps, writes } = await deliverer();
    const row = rowOf('plan', 'The plan');
    service.gitlab.say('alice', 1, row.body);
    await write(service, row);

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createNote']);
    expect(await service.gitlab.notes(1, 1)).toHaveLength(2);
  });
});

describe('a note that is known', () => {
  async function known() {
    const made = await deliverer();
    await write(made.service, rowOf('status', 'Generating'));
    await deliverOutbox(made.deps, never);
    made.writes.length = 0;
    return made;
  }

  test('is edited in place', async () => {
    const { service, deps, writes } = await known();
    await write(service, rowOf('status', 'Done'));

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['updateNote']);
    expect(await texts(service)).toEqual(['Done']);
  });

  test('but gone is posted again', async () => {
    const { service, deps, writes } = await known();
    const [note] = await service.outbox.notesOfRun('run-a');
    await service.gitlab.deleteNote(1, 1, note?.noteId ?? 0);
    await write(service, rowOf('status', 'Done'));

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['updateNote', 'createNote']);
    expect(await texts(service)).toEqual(['Done']);
    const [again] = await service.outbox.notesOfRun('run-a');
    expect(again?.noteId).not.toBe(note?.noteId);
  });

  test('is not searched for: one request is enough', async () => {
    const { service, deps } = await known();
    deps.gitlab.discussions = () => {
      throw new Error('searched');
    };
    await write(service, rowOf('status', 'Done'));

    await deliverOutbox(deps, never);

    expect(await texts(service)).toEqual(['Done']);
  });
});

describe('a pause that is over', () => {
  test('its question is not posted any more', async () => {
    const { service, deps, writes } = await deliverer();
    await question(service);
    await resume(service);

    await deliverOutbox(deps, never);

    expect(writes).toEqual([]);
    expect(service.store.data.outbox).toEqual([]);
  });

  test('over after the row was taken, it is not posted either', async () => {
    const { service, deps, writes } = await deliverer();
    await question(service);
    const { take } = service.outbox;
    deps.outbox = {
      ...service.outbox,
      take: async (input) => {
        const rows = await take(input);
        if (rows.length > 0) await resume(service);
        return rows;
      },
    };

    await deliverOutbox(deps, never);

    expect(writes).toEqual([]);
    expect(service.store.data.outbox).toEqual([]);
  });

  test('over while it was posted, the note stays: somebody may have replied there before Continue was pressed', async () => {
    const { service, deps, writes } = await deliverer();
    await question(service);
    const { createDiscussion } = deps.gitlab;
    deps.gitlab.createDiscussion = async (...given) => {
      const thread = await createDiscussion(...given);
      await resume(service);
      return thread;
    };

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createDiscussion']);
    expect(await service.gitlab.notes(1, 1)).toHaveLength(1);
    expect(service.store.data.outbox).toEqual([]);
  });
});

describe('failures', () => {
  test('for now: later, and not before GitLab said', async () => {
    const { service, deps } = await deliverer();
    service.gitlab.failNext('createNote', new TransientFailure('gitlab_rate_limited', '429', 9000));
    await write(service, rowOf('plan', 'The plan'));

    await deliverOutbox(deps, never);

    expect(service.outbox.postponed).toMatchObject([{ retryInMs: 9000, error: 'gitlab_rate_limited: 429' }]);
    service.clock.advance(8999);
    expect(await deliverOutbox(deps, never)).toBe(0);
    service.clock.advance(1);
    await deliverOutbox(deps, never);
    expect(await texts(service)).toEqual(['The plan']);
  });

  test('for good: set aside, and the later rows of the item go on', async () => {
    const { service, deps } = await deliverer();
    service.gitlab.failNext('createNote', new PermanentFailure('note_not_created', '202'));
    await write(service, rowOf('plan', 'The plan'), rowOf('end', 'The end'));

    await deliverOutbox(deps, never);

    expect(await service.outbox.failures('run-a')).toMatchObject([{ kind: 'plan', error: 'note_not_created: 202' }]);
    expect(await texts(service)).toEqual(['The end']);
  });

  test('that do not end are given up after fourteen tries', async () => {
    const { service, deps } = await deliverer();
    for (let tries = 0; tries < 14; tries += 1)
      service.gitlab.failNext('createNote', new TransientFailure('down', 'down'));
    await write(service, rowOf('plan', 'The plan'));

    for (let tries = 0; tries < 14; tries += 1) {
      await deliverOutbox(deps, never);
      service.clock.advance(11 * 60_000);
    }

    expect(service.outbox.postponed).toHaveLength(13);
    expect(await service.outbox.failures('run-a')).toHaveLength(1);
  });

  test('a stop in between leaves the row for the next deliverer', async () => {
    const { service, deps } = await deliverer();
    const stop = new AbortController();
    const { discussions } = deps.gitlab;
    deps.gitlab.discussions = async (...given) => {
      stop.abort(new Error('stopping'));
      return discussions(...given);
    };
    await write(service, rowOf('plan', 'The plan'));

    await deliverOutbox(deps, stop.signal);

    expect(service.store.data.outbox).toHaveLength(1);
    expect(service.outbox.postponed).toEqual([{ id: 1, retryInMs: 0, error: 'the worker stopped' }]);
    expect(await service.gitlab.notes(1, 1)).toEqual([]);
  });
});
