import { randomUUID } from 'node:crypto';
import type { EventOf, RunEventBody } from '../../../src/domain/run/events.ts';
import type { ItemRef, Person } from '../../../src/domain/workplan/people.ts';
import type { OutboxKind, OutboxRow } from '../../../src/ports/outbox.ts';
import type { Append, ClaimedRun, EndRun, ResumeRun, RunStore, StartRun } from '../../../src/ports/run-store.ts';

export const alice: Person = { id: 1, username: 'alice', role: 'Developer' };

let lastItem = 1000;

/** An item no other test uses. */
export function newItem(): ItemRef {
  lastItem += 1;
  return {
    globalId: lastItem,
    projectId: 1,
    projectPath: 'acme/sample',
    iid: lastItem,
    title: 'Add an export',
    webUrl: `https://gitlab.example/acme/sample/-/issues/${lastItem}`,
    reference: `acme/sample#${lastItem}`,
  };
}

export function startOf(item: ItemRef, change: Partial<StartRun> = {}): StartRun {
  const started: EventOf<'run_started'> = {
    type: 'run_started',
    goal: 'Plan it',
    startedBy: alice,
    item,
    interactive: true,
    reportDir: '20260102-plan-it',
    carried: [],
  };
  return {
    id: randomUUID(),
    item,
    startedBy: alice,
    piece: {
      name: 'workplan',
      file: 'workplan.yaml',
      text: 'name: workplan\n',
      files: { 'agents/planner.md': 'Plan.\n' },
    },
    settings: {
      format: 1,
      interactive: true,
      language: 'auto',
      questionFormat: 'hidden',
      score: true,
      provider: 'scripted',
      models: { plan: 'small' },
      timeoutMs: 600_000,
      roles: { plan: ['Developer'], continue: ['Developer'], answer: null },
    },
    events: [started],
    at: '2026-01-02T03:04:05.678Z',
    row: { view: { movement: null } },
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
    ...change,
  };
}

export function warning(message: string): RunEventBody {
  return { type: 'warning', code: 'note', message, movement: null };
}

export function appendTo(run: { runId: string; fence: number; seq: number }, change: Partial<Append> = {}): Append {
  return {
    runId: run.runId,
    fence: run.fence,
    expectedSeq: run.seq,
    at: '2026-01-02T03:05:00.000Z',
    events: [warning('one')],
    row: {},
    outbox: [],
    usage: [],
    ...change,
  };
}

export function resumeOf(runId: string, pauseId: string, change: Partial<ResumeRun> = {}): ResumeRun {
  return {
    runId,
    pauseId,
    event: { type: 'resumed', pauseId, by: alice, via: 'api', decision: 'continue', reason: '' },
    at: '2026-01-02T03:06:00.000Z',
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
    ...change,
  };
}

export function endOf(runId: string, change: Partial<EndRun> = {}): EndRun {
  return {
    runId,
    event: { type: 'ended', status: 'canceled', reason: 'canceled_by_person', message: '', by: alice },
    at: '2026-01-02T03:07:00.000Z',
    status: 'CANCELED',
    reason: 'canceled_by_person',
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
    onlyAtSeq: null,
    ...change,
  };
}

export function outboxRow(item: ItemRef, kind: OutboxKind, change: Partial<OutboxRow> = {}): OutboxRow {
  return {
    kind,
    itemGlobalId: item.globalId,
    projectId: item.projectId,
    iid: item.iid,
    runId: null,
    pauseId: null,
    marker: `kind=${kind};id=${randomUUID()}`,
    body: `a note of kind ${kind}`,
    discussion: kind === 'question',
    replyTo: null,
    itemUrl: 'http://gitlab.invalid/acme/sample/-/issues/2',
    questionId: null,
    ...change,
  };
}

/** Starts a run on an item of its own. */
export async function startRun(store: RunStore, change: Partial<StartRun> = {}): Promise<string> {
  const outcome = await store.start(startOf(newItem(), change));
  if (outcome.kind !== 'started') throw new Error(`not started: ${outcome.kind}`);
  return outcome.run.id;
}

export async function claimOne(store: RunStore, runId: string, worker = 'worker-a'): Promise<ClaimedRun> {
  const [claimed] = await store.claim({ runIds: [runId], worker, leaseMs: 60_000, maxFormat: 1 });
  if (claimed === undefined) throw new Error(`not claimed: ${runId}`);
  return claimed;
}

/** A run that a worker holds: what an append needs to know. */
export async function startHeld(store: RunStore, change: Partial<StartRun> = {}) {
  const runId = await startRun(store, change);
  const claimed = await claimOne(store, runId);
  return { runId, fence: claimed.fence, seq: claimed.row.seq, item: claimed.row.item };
}

/** A run that waits at the pause. */
export async function startPaused(store: RunStore, pauseId = randomUUID()) {
  const held = await startHeld(store);
  const outcome = await store.append(pauseOf(held, pauseId));
  if (outcome.kind !== 'appended') throw new Error('not paused');
  return { ...held, seq: outcome.seq, pauseId };
}

export function pauseOf(run: { runId: string; fence: number; seq: number }, pauseId: string): Append {
  const paused: RunEventBody = {
    type: 'paused',
    pauseId,
    kind: 'question',
    movement: 'plan',
    questions: [],
    missing: [],
  };
  return appendTo(run, { events: [paused], row: { status: 'NEEDS_INPUT', pause: { id: pauseId, kind: 'question' } } });
}
