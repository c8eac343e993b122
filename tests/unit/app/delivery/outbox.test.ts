import { describe, expect, test } from 'vitest';
import { createAudience } from '../../../../src/app/delivery/audience.ts';
import { deliverOutbox, type OutboxDeps } from '../../../../src/app/delivery/outbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { PermanentFailure, TransientFailure } from '../../../../src/ports/failures.ts';
import type { GitLabIssue, GitLabPort, GitLabProject } from '../../../../src/ports/gitlab.ts';
import type { OutboxRow } from '../../../../src/ports/outbox.ts';
import { appendTo, createService, pauseRun, personOf, type Service, startRun } from '../setup.ts';

const never = new AbortController().signal;
const WRITES = ['createNote', 'createDiscussion', 'replyToDiscussion', 'updateNote', 'deleteNote'] as const;

/** The deliverer with its writes to GitLab noted down. */
async function deliverer() {
  const service = createService();
  await startRun(service.store);
  const writes: string[] = [];
  const gitlab: GitLabPort = { ...service.gitlab };
  for (const name of WRITES) {
    const call = gitlab[name] as (...given: unknown[]) => Promise<never>;
    Object.assign(gitlab, {
      [name]: (...given: unknown[]) => {
        writes.push(name);
        return call(...given);
      },
    });
  }
  const deps: OutboxDeps = {
    outbox: service.outbox,
    gitlab,
    audience: createAudience({ gitlab, clock: service.clock }),
    log: service.log,
    owner: 'deliveries-1',
    limit: 10,
    holdMs: 30_000,
  };
  return { service, deps, writes };
}

function rowOf(kind: OutboxRow['kind'], text: string, change: Partial<OutboxRow> = {}): OutboxRow {
  const own = change.marker ?? marker({ run: 'run-a', kind });
  return {
    kind,
    itemGlobalId: 501,
    projectId: 1,
    iid: 1,
    runId: 'run-a',
    pauseId: null,
    discussion: false,
    replyTo: null,
    itemUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
    questionId: null,
    ...change,
    marker: own,
    body: `${text}\n\n${own}`,
  };
}

const write = (service: Service, ...rows: OutboxRow[]) => appendTo(service.store, 'run-a', [], {}, rows);
const texts = async (service: Service) => (await service.gitlab.notes(1, 1)).map((note) => note.body.split('\n')[0]);

/** A question of the pause p1, which stands. */
async function question(service: Service, text = 'Which?') {
  await pauseRun(service, 'run-a', 'p1', 'question');
  const row = rowOf('question', text, {
    pauseId: 'p1',
    questionId: 'q1',
    discussion: true,
    marker: marker({ run: 'run-a', kind: 'question', pause: 'p1', q: 'q1' }),
  });
  await service.outbox.add([row], { actionKey: null, deliveryId: null });
  return row;
}

async function resume(service: Service) {
  await service.store.resume({
    runId: 'run-a',
    pauseId: 'p1',
    event: { type: 'resumed', pauseId: 'p1', by: personOf('alice'), via: 'api', decision: 'continue', reason: '' },
    at: '2026-01-05T09:01:00.000Z',
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
  });
}

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

  test('over while it was posted, the note is deleted again', async () => {
    const { service, deps, writes } = await deliverer();
    await question(service);
    const { createDiscussion } = deps.gitlab;
    deps.gitlab.createDiscussion = async (...given) => {
      const thread = await createDiscussion(...given);
      await resume(service);
      return thread;
    };

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createDiscussion', 'deleteNote']);
    expect(await service.gitlab.notes(1, 1)).toEqual([]);
    expect(await service.outbox.notesOfRun('run-a')).toEqual([]);
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

describe('where more people read the item than the code', () => {
  const kinds = ['question', 'gate', 'plan', 'end'] as const;
  const withKept = (kind: OutboxRow['kind']) => {
    const own = marker({ run: 'run-a', kind });
    return rowOf(kind, 'src/export.ts:1', { marker: own, kept: `Kept\n\n${own}` });
  };
  async function posted(change: { project?: Partial<GitLabProject>; issue?: Partial<GitLabIssue>; was?: boolean }) {
    const { service, deps } = await deliverer();
    Object.assign(service.gitlab.world.project, change.project);
    Object.assign(service.gitlab.world.issues[0] ?? {}, change.issue);
    if (change.was) service.store.run('run-a').row.item.confidential = true;
    await write(service, withKept('plan'));
    await deliverOutbox(deps, never);
    return texts(service);
  }

  test.each(kinds)('a text of kind %s stays in the service', async (kind) => {
    const { service, deps } = await deliverer();
    Object.assign(service.gitlab.world.project, { visibility: 'public', repositoryAccess: 'private' });
    await write(service, withKept(kind));

    await deliverOutbox(deps, never);

    expect(await texts(service)).toEqual(['Kept']);
    expect(await service.outbox.notesOfRun('run-a')).toHaveLength(1);
  });

  test.each([
    ['a public project with private code', { project: { visibility: 'public', repositoryAccess: 'private' } }, 'Kept'],
    ['an internal one', { project: { visibility: 'internal', repositoryAccess: 'private' } }, 'Kept'],
    ['a private one', { project: { repositoryAccess: 'private' } }, 'src/export.ts:1'],
    ['open code', { project: { visibility: 'public' } }, 'src/export.ts:1'],
    [
      'private issues beside private code',
      { project: { visibility: 'public', repositoryAccess: 'private', issuesAccess: 'private' } },
      'src/export.ts:1',
    ],
    ['no code at all', { project: { visibility: 'public', repositoryAccess: 'disabled' } }, 'src/export.ts:1'],
    [
      'a confidential item',
      { project: { visibility: 'public', repositoryAccess: 'private' }, issue: { confidential: true } },
      'src/export.ts:1',
    ],
    ['an item that was confidential when the run began', { was: true }, 'Kept'],
    ['one that still is', { was: true, issue: { confidential: true } }, 'src/export.ts:1'],
  ] as const)('%s', async (_name, change, expected) => {
    expect(await posted(change)).toEqual([expected]);
  });

  test('is looked at anew before every post', async () => {
    const { service, deps } = await deliverer();
    Object.assign(service.gitlab.world.project, { visibility: 'public' });
    await write(service, withKept('plan'));
    await deliverOutbox(deps, never);
    Object.assign(service.gitlab.world.project, { repositoryAccess: 'private' });
    service.clock.advance(60_000);
    await write(service, withKept('plan'));

    await deliverOutbox(deps, never);

    expect(await texts(service)).toEqual(['Kept']);
  });

  test('a status is posted without asking who reads it', async () => {
    const { service, deps } = await deliverer();
    deps.gitlab.project = async () => {
      throw new Error('asked');
    };
    await write(service, rowOf('status', 'Generating'));

    await deliverOutbox(deps, never);

    expect(await texts(service)).toEqual(['Generating']);
  });
});

describe('a cancel while an item is looked at', () => {
  const cancel = async (service: Service) =>
    void (await service.store.end({
      runId: 'run-a',
      event: { type: 'ended', status: 'canceled', reason: 'canceled', message: '', by: null },
      at: '2026-01-05T09:01:00.000Z',
      status: 'CANCELED',
      reason: 'canceled',
      outbox: [],
      cause: { actionKey: null, deliveryId: null },
      onlyAtSeq: null,
    }));
  const interrupted = async (kind: 'question' | 'status') => {
    const { service, deps, writes } = await deliverer();
    if (kind === 'question') await question(service);
    else await write(service, rowOf('status', 'Generating'));
    const { discussions } = deps.gitlab;
    deps.gitlab.discussions = async (...given) => {
      const found = await discussions(...given);
      await cancel(service);
      return found;
    };
    await deliverOutbox(deps, never);
    return { writes, left: service.store.data.outbox };
  };

  test.each(['question', 'status'] as const)('keeps its %s from going out', async (kind) => {
    expect(await interrupted(kind)).toEqual({ writes: [], left: [] });
  });

  test('keeps a known status note from being edited', async () => {
    const { service, deps, writes } = await deliverer();
    await write(service, rowOf('status', 'Generating'));
    await deliverOutbox(deps, never);
    await write(service, rowOf('status', 'Reviewing'));
    const { take } = service.outbox;
    deps.outbox = {
      ...service.outbox,
      take: async (input) => {
        const rows = await take(input);
        if (rows.length > 0) await cancel(service);
        return rows;
      },
    };

    await deliverOutbox(deps, never);

    expect(writes).toEqual(['createNote']);
    expect(await texts(service)).toEqual(['Generating']);
  });
});

describe('the service’s own token refused', () => {
  test('costs no note: it goes out when there is a new one', async () => {
    const { service, deps } = await deliverer();
    await write(service, rowOf('plan', 'The plan'));
    for (let tries = 0; tries < 20; tries += 1) {
      service.gitlab.failNext('createNote', new PermanentFailure('gitlab_unauthorized', '401'));
      await deliverOutbox(deps, never);
      service.clock.advance(10 * 60_000);
    }

    await deliverOutbox(deps, never);

    expect(service.outbox.postponed).toHaveLength(20);
    expect(service.outbox.postponed.at(-1)).toMatchObject({ retryInMs: 600_000 });
    expect(await texts(service)).toEqual(['The plan']);
  });
});
