import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/connect.ts';
import { createOutboxStore } from '../../../src/adapters/postgres/outbox-store.ts';
import { createRunStore } from '../../../src/adapters/postgres/run-store.ts';
import { createTurnStore } from '../../../src/adapters/postgres/turn-store.ts';
import type { StartRun } from '../../../src/ports/run-store.ts';
import type { TurnStore } from '../../../src/ports/turns.ts';
import { patiently } from '../../helpers/scene.ts';
import { testDatabase } from '../../helpers/servers.ts';
import { databases, type TestStore } from './databases.ts';
import { claimOne, endOf, newItem, outboxRow, pauseOf, resumeOf, startOf, startRun } from './samples.ts';

const LAPSED = -1000;
const PROJECT = 7;

describe.each(databases)('turns on $name', ({ open }) => {
  let opened: TestStore;
  let store: ReturnType<typeof createRunStore>;
  let turns: TurnStore;

  beforeAll(async () => {
    opened = await open();
    store = createRunStore(opened.db);
    turns = createTurnStore(opened.db);
  });
  afterEach(async () => {
    await opened.db.execute('truncate runs cascade');
    for (const table of ['turns', 'outbox']) await opened.db.execute(`truncate ${table}`);
  });
  afterAll(() => opened.close());

  function limited(projectId = PROJECT): StartRun {
    const start = startOf({ ...newItem(), projectId });
    return { ...start, settings: { ...start.settings, maxLiveRuns: 1 } };
  }

  async function waiting(count: number, projectId = PROJECT): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const outcome = await store.start(limited(projectId));
      if (outcome.kind === 'started') ids.push(outcome.run.id);
    }
    return ids;
  }

  async function held(runId: string) {
    const claimed = await claimOne(store, runId);
    return { runId, fence: claimed.fence, seq: claimed.row.seq };
  }

  const claimedOf = async (runIds: string[]): Promise<string[]> => {
    const runs = await store.claim({ runIds, worker: 'worker-b', leaseMs: 60_000, maxFormat: 1 });
    return runs.map((run) => run.row.id);
  };

  test('a run of a limited project waits: nobody claims it, and the sweeper leaves it alone', async () => {
    const [runId = ''] = await waiting(1);

    expect(await store.byId(runId)).toMatchObject({ status: 'GENERATING', waitsForTurn: true });
    expect(await claimedOf([runId])).toEqual([]);
    expect(await store.findAbandoned(10)).toEqual([]);
  });

  test('a run of a project without a limit does not wait', async () => {
    const runId = await startRun(store);

    expect(await store.byId(runId)).not.toHaveProperty('waitsForTurn');
    expect(await claimedOf([runId])).toEqual([runId]);
    expect(await turns.admit(null)).toEqual([]);
  });

  test('as many as the limit says get their turn, who waits longest first', async () => {
    await turns.limit(PROJECT, 2);
    const ids = await waiting(4);

    expect((await turns.admit(PROJECT)).sort()).toEqual(ids.slice(0, 2).sort());
    expect(await turns.admit(PROJECT)).toEqual([]);
    expect(await Promise.all(ids.map((id) => turns.ahead(id)))).toEqual([null, null, 0, 1]);
    expect((await claimedOf(ids)).sort()).toEqual(ids.slice(0, 2).sort());
  });

  test('a pause and an end leave the turn to the next', async () => {
    await turns.limit(PROJECT, 1);
    const [first = '', second = '', third = ''] = await waiting(3);
    await turns.admit(PROJECT);

    await store.append(pauseOf(await held(first), 'p1'));
    expect(await turns.admit(PROJECT)).toEqual([second]);
    await store.end(endOf(second));
    expect(await turns.admit(null)).toEqual([third]);
  });

  test('who goes on after a pause waits behind those that wait', async () => {
    await turns.limit(PROJECT, 1);
    const [first = '', second = '', third = ''] = await waiting(3);
    await turns.admit(PROJECT);
    await store.append(pauseOf(await held(first), 'p1'));
    await turns.admit(PROJECT);

    const resumed = await store.resume(resumeOf(first, 'p1'));

    expect(resumed).toMatchObject({ kind: 'resumed', run: { status: 'GENERATING', waitsForTurn: true } });
    expect(await turns.ahead(first)).toBe(1);
    for (const [ended, next] of [
      [second, third],
      [third, first],
    ]) {
      await store.end(endOf(ended ?? ''));
      expect(await turns.admit(PROJECT)).toEqual([next]);
    }
  });

  test('a run whose worker died keeps its turn, and another worker takes it over', async () => {
    await turns.limit(PROJECT, 1);
    const [first = '', second = ''] = await waiting(2);
    await turns.admit(PROJECT);
    await store.claim({ runIds: [first], worker: 'worker-a', leaseMs: LAPSED, maxFormat: 1 });

    expect(await turns.admit(null)).toEqual([]);
    expect(await store.findAbandoned(10)).toEqual([first]);
    expect(await claimedOf([first, second])).toEqual([first]);
  });

  test('a run that waits can be cancelled', async () => {
    await turns.limit(PROJECT, 1);
    const [, second = '', third = ''] = await waiting(3);
    await turns.admit(PROJECT);

    const ended = await store.end(endOf(second));

    expect(ended).toMatchObject({ kind: 'ended', run: { status: 'CANCELED' } });
    expect(ended.kind === 'ended' && ended.run).not.toHaveProperty('waitsForTurn');
    expect(await turns.ahead(third)).toBe(0);
  });

  test('a place that has changed is a new version of the row', async () => {
    await turns.limit(PROJECT, 1);
    const [, second = '', third = ''] = await waiting(3);
    await turns.admit(PROJECT);
    const before = await store.byId(third);
    await store.end(endOf(second));

    await turns.admit(PROJECT, true);

    expect((await store.byId(third))?.version).toBe((before?.version ?? 0) + 1);
  });

  test('the deadline counts from the turn on', async () => {
    await turns.limit(PROJECT, 1);
    const [first = ''] = await waiting(1);
    const deadline = `select deadline_at, deadline_at > now() + interval '9 minutes' as whole from runs where id = $1`;

    expect(await opened.db.execute(deadline, [first])).toEqual([{ deadline_at: null, whole: null }]);
    await turns.admit(PROJECT);
    expect(await opened.db.execute(deadline, [first])).toMatchObject([{ whole: true }]);
  });

  test('a higher limit counts at once, projects do not wait for one another', async () => {
    await turns.limit(PROJECT, 1);
    await turns.limit(8, 1);
    const ids = await waiting(3);
    const [other] = await waiting(1, 8);
    await turns.admit(PROJECT);

    await turns.limit(PROJECT, 2);

    expect((await turns.admit(null)).sort()).toEqual([ids[1], other].sort());
  });

  test('that it waits is told as long as it does', async () => {
    await turns.limit(PROJECT, 1);
    const [first = '', second = ''] = await waiting(2);
    await turns.admit(PROJECT);
    const row = (runId: string) => ({ ...outboxRow(newItem(), 'status'), runId });

    await turns.tellWaiting(row(first));
    await turns.tellWaiting(row(second));

    const outbox = createOutboxStore(opened.db);
    const taken = await outbox.take({ owner: 'o', limit: 10, leaseMs: 1000 });
    expect(taken.map((one) => one.runId)).toEqual([second]);
  });
});

test('who gives turns away while another one does gives none (PostgreSQL)', async () => {
  const own = await testDatabase();
  const db = await openPostgres({ url: own.url, poolSize: 5 });
  const other = new Client({ connectionString: own.url });
  await Promise.all([db.migrate(), other.connect()]);
  const turns = createTurnStore(db);
  const store = createRunStore(db);
  const start = () => startOf({ ...newItem(), projectId: PROJECT });
  const ids = [start(), start()].map((given) => ({ ...given, settings: { ...given.settings, maxLiveRuns: 1 } }));
  for (const given of ids) await store.start(given);
  await turns.limit(PROJECT, 1);

  await other.query('begin');
  await other.query('update turns set round = round + 1');
  // Its snapshot says that nobody has a turn.
  const admitting = turns.admit(PROJECT);
  await patiently(async () => {
    const { rows } = await other.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`);
    return { done: rows.length > 0, value: 'nobody waits for the row' };
  });
  await other.query('update runs set waits_since = null where id = $1', [ids[1]?.id]);
  await other.query('commit');

  expect(await admitting).toEqual([]);
  await Promise.all([db.close(), other.end()]);
  await own.drop();
});
