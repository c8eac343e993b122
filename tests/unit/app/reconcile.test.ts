import { describe, expect, test } from 'vitest';
import { act } from '../../../src/app/actions/act.ts';
import { workInbox } from '../../../src/app/delivery/inbox.ts';
import { statusNoteOf } from '../../../src/app/delivery/status-note.ts';
import { reconcile } from '../../../src/app/reconcile.ts';
import { warningsOf } from '../../../src/app/warnings.ts';
import { PermanentFailure, TransientFailure } from '../../../src/ports/failures.ts';
import type { GitLabHook } from '../../../src/ports/gitlab.ts';
import type { ProjectWatch, WatchedProject } from '../../../src/ports/project-watch.ts';
import { createMemoryBreaker } from '../../helpers/fakes/breaker.ts';
import { createService, requestOf, startRun } from './setup.ts';

const hookUrl = 'https://plan.example/webhooks/gitlab';
const MINUTE_MS = 60_000;

/** Issue 1 with something new since the project was seen last, a quarter of an hour ago. */
function watching(hooks: GitLabHook[] | Error = [{ id: 1, url: hookUrl, alertStatus: 'executable' }]) {
  const service = createService({ updatedAt: '2026-01-05T09:00:02.000Z' });
  const due: WatchedProject[] = [{ id: 1, path: 'acme/sample', seenUntil: '2026-01-05T08:59:00.000Z', hook: null }];
  const looks: Parameters<ProjectWatch['looked']>[0][] = [];
  const watch: ProjectWatch = {
    learn: async () => undefined,
    take: async () => due.splice(0),
    looked: async (look) => void looks.push(look),
    signs: async () => ({ hook: null, missedAt: null }),
  };
  const gitlab = {
    ...service.gitlab,
    hooks: async () => {
      if (hooks instanceof Error) throw hooks;
      return hooks;
    },
  };
  const { inbox, outbox } = service;
  const deps = { ...service.deps, gitlab, watch, inbox, outbox, hookUrl, everyMs: 5 * MINUTE_MS };
  service.clock.advance(14 * MINUTE_MS);
  return {
    service,
    due,
    looks,
    pass: () => reconcile(deps, new AbortController().signal),
    /** As the worker of the inbox does it. */
    work: () =>
      workInbox(
        {
          ...service.deps,
          inbox: service.inbox,
          outbox: service.outbox,
          allowedBots: [],
          breaker: createMemoryBreaker(service.clock),
          actionsPerMinute: 10,
          owner: 'w',
          limit: 10,
          holdMs: 1,
        },
        new AbortController().signal,
      ),
  };
}

describe('commands that no event told', () => {
  test('are put into the inbox and done as if they had been told', async () => {
    const { service, looks, pass, work } = watching();
    service.gitlab.say('alice', 1, '/workplan plan');

    expect(await pass()).toBe(1);
    await work();

    const run = await service.store.latestForItem(501);
    expect(run).toMatchObject({ status: 'GENERATING', startedBy: { username: 'alice' } });
    expect(looks).toMatchObject([{ projectId: 1, active: true, missed: true, hook: { state: 'ok' } }]);
    expect(service.log.lines.map((line) => line.message)).toContain('events were found that no delivery had told');
  });

  test('that were told are known by their content', async () => {
    const { service, looks, pass } = watching();
    const note = service.gitlab.say('alice', 1, '/workplan plan');
    const at = Math.floor(Date.parse(note.updatedAt) / 1000);
    const content = `note:1/1:${note.id}:create:${at}:`;
    await service.inbox.put({ id: 'hook', event: 'Note Hook', itemKey: '1/1', body: '{}', content });

    expect(await pass()).toBe(0);
    expect(looks).toMatchObject([{ missed: false }]);
  });

  test('are found once, also by two processes', async () => {
    const { service, due, pass } = watching();
    service.gitlab.say('alice', 1, '/workplan plan');
    const [project] = due;
    if (!project) throw new Error('nothing is due');

    const first = await pass();
    due.push(project);

    expect([first, await pass()]).toEqual([1, 0]);
  });

  test('of a person who may not are refused in their own thread, as ever', async () => {
    const { service, pass, work } = watching();
    service.gitlab.say('carol', 1, '/workplan plan');

    await pass();
    await work();

    expect(await service.store.latestForItem(501)).toBeNull();
    expect(service.store.data.outbox.map((row) => row.kind)).toEqual(['reply']);
  });

  test('are left while their event may still come', async () => {
    const { service, looks, pass } = watching();
    const note = service.gitlab.say('alice', 1, '/workplan plan');
    Object.assign(note, { createdAt: '2026-01-05T09:13:30.000Z', updatedAt: '2026-01-05T09:13:30.000Z' });

    expect(await pass()).toBe(0);
    // And looked at again next time.
    expect(Date.parse(looks[0]?.seenUntil ?? '')).toBeLessThan(Date.parse(note.createdAt));
  });

  test('that an edit made do not act', async () => {
    const { service, pass } = watching();
    const note = service.gitlab.say('alice', 1, '/workplan plan');
    note.updatedAt = '2026-01-05T09:05:00.000Z';

    expect(await pass()).toBe(0);
  });

  test('from before the project was seen last, of the service itself, or no command at all are nothing', async () => {
    const { service, pass } = watching();
    const old = service.gitlab.say('alice', 1, '/workplan plan');
    Object.assign(old, { createdAt: '2026-01-01T09:00:00.000Z', updatedAt: '2026-01-01T09:00:00.000Z' });
    service.gitlab.say('planwright', 1, '/workplan plan');
    service.gitlab.say('alice', 1, 'What a plan!');

    expect(await pass()).toBe(0);
  });
});

describe('status notes', () => {
  /** A run that was cancelled, and its status note with this text in place of its own. */
  async function canceled(change: (right: string) => string) {
    const made = watching();
    const { service } = made;
    await startRun(service.store);
    const request = await requestOf(service, 'cancel');
    await act(service.deps, request);
    const right = (await statusNoteOf(service.store, 'run-a')) ?? '';
    const note = service.gitlab.say('planwright', 1, change(right));
    note.updatedAt = '2026-01-05T09:05:00.000Z';
    service.store.data.outbox = [];
    return { ...made, right };
  }

  test('that say something else than their run are put right, which no event told', async () => {
    const { service, looks, pass, work, right } = await canceled((text) => text.replace('Canceled', 'Planning'));

    expect(await pass()).toBe(1);
    await work();

    expect(service.store.data.outbox).toMatchObject([{ kind: 'notice', body: right }]);
    // Nobody was kept waiting for it.
    expect(looks).toMatchObject([{ missed: false }]);
  });

  test('that say what their run says are nothing', async () => {
    const { pass } = await canceled((text) => text);

    expect(await pass()).toBe(0);
  });
});

describe('items', () => {
  test('that were closed end their run, which nobody had told', async () => {
    const { service, pass, work } = watching();
    await startRun(service.store);
    const [issue] = service.gitlab.world.issues;
    Object.assign(issue ?? {}, { state: 'closed' });

    expect(await pass()).toBe(1);
    await work();

    expect(service.store.run('run-a').row).toMatchObject({ status: 'CANCELED', reason: 'item_closed' });
  });

  test('that were closed without a live run are nothing', async () => {
    const { service, pass } = watching();
    Object.assign(service.gitlab.world.issues[0] ?? {}, { state: 'closed' });

    expect(await pass()).toBe(0);
  });

  test('that did not change are not read', async () => {
    const { service, due, pass, looks } = watching();
    service.gitlab.say('alice', 1, '/workplan plan');
    Object.assign(due[0] ?? {}, { seenUntil: '2026-01-05T09:10:00.000Z' });

    expect(await pass()).toBe(0);
    expect(looks).toMatchObject([{ active: false }]);
  });
});

describe('the hook', () => {
  const until = '2026-01-05T10:00:00.000Z';
  test.each([
    ['works', [{ id: 1, url: hookUrl, alertStatus: 'executable' as const }], { state: 'ok', until: null }],
    ['says nothing of its state', [{ id: 1, url: hookUrl }], { state: 'ok', until: null }],
    ['is another one', [{ id: 1, url: 'https://other.example/' }], { state: 'missing', until: null }],
    [
      'is disabled for a time',
      [{ id: 1, url: hookUrl, alertStatus: 'temporarily_disabled' as const, disabledUntil: until }],
      { state: 'disabled', until },
    ],
    [
      'is disabled for good',
      [{ id: 1, url: hookUrl, alertStatus: 'disabled' as const }],
      { state: 'disabled', until: null },
    ],
  ])('that %s', async (_what, hooks, hook) => {
    const { looks, pass, service } = watching(hooks);

    await pass();

    expect(looks).toMatchObject([{ hook }]);
    const warned = service.log.lines.some((line) => line.message === 'GitLab has disabled the webhook of this project');
    expect(warned).toBe(hook.state === 'disabled');
  });

  test('that the bot may not see is not known', async () => {
    const { looks, pass } = watching(new PermanentFailure('gitlab_forbidden', '403'));

    await pass();

    expect(looks).toMatchObject([{ hook: null }]);
  });

  test('a project that cannot be read now is left for the next time', async () => {
    const { looks, pass, service } = watching(new TransientFailure('gitlab_unavailable', '502'));

    expect(await pass()).toBe(0);
    expect(looks).toEqual([]);
    expect(service.log.lines.map((line) => line.message)).toEqual(['project could not be reconciled']);
  });
});

describe('warnings', () => {
  const now = new Date('2026-01-05T12:00:00.000Z');
  const codes = (signs: Parameters<typeof warningsOf>[0]) => warningsOf(signs, now).map((warning) => warning.code);

  test('tell of a disabled hook and of what was missed within a day', () => {
    const disabled = { state: 'disabled', until: null } as const;

    expect(codes({ hook: disabled, missedAt: '2026-01-05T09:00:00.000Z' })).toEqual([
      'webhook_disabled',
      'events_missed',
    ]);
    expect(codes({ hook: { state: 'ok', until: null }, missedAt: '2026-01-04T09:00:00.000Z' })).toEqual([]);
    expect(codes({ hook: { state: 'missing', until: null }, missedAt: null })).toEqual([]);
    expect(codes({ hook: null, missedAt: null })).toEqual([]);
  });

  test('say until when', () => {
    const [warning] = warningsOf(
      { hook: { state: 'disabled', until: '2026-01-05T13:00:00.000Z' }, missedAt: null },
      now,
    );

    expect(warning?.message).toContain('until 2026-01-05T13:00:00.000Z');
  });
});
