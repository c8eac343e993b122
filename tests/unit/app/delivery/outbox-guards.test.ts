import { describe, expect, test } from 'vitest';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import type { GitLabIssue, GitLabProject } from '../../../../src/ports/gitlab.ts';
import type { OutboxRow } from '../../../../src/ports/outbox.ts';
import type { Service } from '../setup.ts';
import { deliverer, never, question, rowOf, texts, write } from './outbox-desk.ts';

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

describe('a deliverer whose hold lapsed while it looked at the item', () => {
  test('posts nothing: the row is with another one', async () => {
    const { service, deps, writes } = await deliverer();
    await write(service, rowOf('plan', 'The plan'));
    const { discussions } = deps.gitlab;
    deps.gitlab.discussions = async (...given) => {
      service.clock.advance(deps.holdMs + 1);
      await service.outbox.take({ owner: 'deliveries-2', limit: 1, leaseMs: 60_000 });
      return discussions(...given);
    };

    await deliverOutbox(deps, never);

    expect(writes).toEqual([]);
    expect(await service.outbox.notesOfRun('run-a')).toEqual([]);
  });
});

test('a row whose deliverers all ended is not posted but told to the operator and shown in the status', async () => {
  const { service, deps, writes } = await deliverer();
  await write(service, rowOf('plan', 'The plan'), rowOf('end', 'The end'));
  for (let time = 0; time < 5; time += 1) await service.outbox.take({ owner: `lost-${time}`, limit: 10, leaseMs: -1 });

  await deliverOutbox(deps, never);

  expect(await texts(service)).toEqual(['The end']);
  expect(writes).toEqual(['createNote']);
  expect(await service.outbox.failures('run-a')).toMatchObject([{ kind: 'plan' }]);
  expect(service.log.lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'note could not be delivered' }),
  );
});
