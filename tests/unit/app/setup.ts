import type { ActDeps, ActionName, ActionRequest } from '../../../src/app/actions/types.ts';
import { createPieceCache } from '../../../src/app/runner/piece-cache.ts';
import type { PieceBundle } from '../../../src/domain/piece/types.ts';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import type { Person } from '../../../src/domain/workplan/people.ts';
import type { Question } from '../../../src/domain/workplan/schema.ts';
import type { GitLabIssue } from '../../../src/ports/gitlab.ts';
import type { OutboxRow } from '../../../src/ports/outbox.ts';
import type { RunQueue } from '../../../src/ports/run-queue.ts';
import type { ClaimedRun, RunSettings } from '../../../src/ports/run-store.ts';
import type { TakeoverStore } from '../../../src/ports/takeovers.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { createFakeGitLab } from '../../helpers/fakes/gitlab.ts';
import { sampleWorld } from '../../helpers/fakes/gitlab-world.ts';
import { createMemoryInbox } from '../../helpers/fakes/inbox-store.ts';
import { createMemoryLease } from '../../helpers/fakes/lease.ts';
import { createMemoryLog } from '../../helpers/fakes/log.ts';
import { createMemoryOutbox } from '../../helpers/fakes/outbox-store.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../../helpers/fakes/run-store.ts';
import { createMemoryTakeovers } from '../../helpers/fakes/takeovers.ts';

export const ids = { alice: 11, bob: 12, carol: 13, dave: 14, erin: 15, maria: 16, planwright: 17 } as const;

export function personOf(username: keyof typeof ids): Person {
  return { id: ids[username], username, name: username.charAt(0).toUpperCase() + username.slice(1) };
}

/** Asks in `plan`, reviews in parallel, publishes. */
export const planningPiece: PieceBundle = {
  name: 'workplan',
  file: 'workplan.yaml',
  files: {},
  text: `
name: workplan
max_iterations: 8
initial_movement: plan
movements:
  - name: plan
    edit: false
    produces: [questions, workplan]
    rules:
      - { condition: done, next: review }
      - { condition: ask, next: plan, requires_user_input: true, interactive_only: true }
      - { condition: sign, next: sign }
  - name: sign
    gate: approval
    rules:
      - { condition: approved, next: write }
      - { condition: rejected, next: plan }
  - name: review
    parallel:
      - { name: one, edit: false, rules: [{ condition: approved }, { condition: needs_fix }] }
      - { name: two, edit: false, rules: [{ condition: approved }, { condition: needs_fix }] }
    rules:
      - { condition: 'all("approved")', next: write }
      - { condition: 'any("needs_fix")', next: plan }
  - name: write
    action: publish_workplan
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: ABORT }
`,
};

export const runSettings: RunSettings = {
  format: 1,
  interactive: true,
  language: 'en',
  questionFormat: 'hidden',
  score: false,
  provider: 'scripted',
  models: {},
  timeoutMs: 600_000,
  roles: { plan: ['Developer'], continue: ['Developer'], answer: null },
};

export function questionOf(id: string): Question {
  return {
    id,
    type: 'closed',
    question: `Question ${id}?`,
    why: 'It decides the plan.',
    multiple: false,
    options: [
      { id: 'a', label: 'First', recommended: true },
      { id: 'b', label: 'Second', recommended: false },
    ],
    recommendation: 'The first is simpler.',
  };
}

export interface Wakes extends RunQueue {
  readonly runs: string[];
  readonly deliveries: () => number;
}

function createWakes(): Wakes {
  const runs: string[] = [];
  let deliveries = 0;
  return {
    runs,
    deliveries: () => deliveries,
    wakeRuns: async (runIds) => void runs.push(...runIds),
    wakeDeliveries: async () => {
      deliveries += 1;
    },
  };
}

/** Everything the use cases need, in memory, with issue 1 of `acme/sample` (global id 501). */
export function createService(issue: Partial<GitLabIssue> = {}) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const store = createMemoryRunStore(clock);
  const outbox = createMemoryOutbox(store.data, clock);
  const inbox = createMemoryInbox(store.data, clock);
  const gitlab = createFakeGitLab(sampleWorld(issue));
  const lease = createMemoryLease(clock);
  const queue = createWakes();
  const pieces = new Map([['workplan', planningPiece]]);
  let lastRun = 0;
  const deps: ActDeps & { takeovers: TakeoverStore } = {
    takeovers: createMemoryTakeovers(store.data, clock),
    store,
    gitlab,
    lease,
    queue,
    pieces: { load: async (name) => pieces.get(name) ?? null },
    clock,
    ids: {
      next: () => {
        lastRun += 1;
        return `run-${lastRun}`;
      },
    },
    log,
    pieceOf: createPieceCache(),
    operator: { provider: 'scripted', models: {}, runTimeoutMs: 600_000, leaseMs: 30_000 },
  };
  return { clock, log, store, outbox, inbox, gitlab, lease, queue, pieces, deps };
}

export type Service = ReturnType<typeof createService>;

/** An action as the ways in hand it on; over the API unless a note is given. */
export async function requestOf(
  service: Service,
  action: ActionName,
  change: Partial<ActionRequest> = {},
): Promise<ActionRequest> {
  const [project, issue] = await Promise.all([service.gitlab.project(1), service.gitlab.issue(1, 1)]);
  if (!project || !issue) throw new Error('the sample world has no issue 1');
  return {
    action,
    project,
    issue,
    person: personOf('alice'),
    via: 'api',
    argument: '',
    pauseId: null,
    noteId: null,
    cause: { actionKey: null, deliveryId: null },
    ...change,
  };
}

/** A run of issue 1, held by `worker-a`, with these events after its start. */
export async function startRun(
  store: MemoryRunStore,
  change: {
    settings?: Partial<RunSettings>;
    piece?: PieceBundle;
    id?: string;
    leaseToken?: string;
    globalId?: number;
  } = {},
): Promise<ClaimedRun> {
  const { id = 'run-a', globalId = 501 } = change;
  const item = {
    globalId,
    projectId: 1,
    projectPath: 'acme/sample',
    iid: 1,
    title: 'Limit the export',
    webUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
    reference: 'acme/sample#1',
  };
  await store.start({
    id,
    item,
    startedBy: personOf('alice'),
    piece: change.piece ?? planningPiece,
    settings: { ...runSettings, ...change.settings },
    events: [
      {
        type: 'run_started',
        goal: 'Plan it',
        startedBy: personOf('alice'),
        item,
        interactive: true,
        reportDir: 'r',
        carried: [],
      },
    ],
    at: '2026-01-05T09:00:00.000Z',
    row: {},
    outbox: [],
    cause: { actionKey: null, deliveryId: null },
    leaseToken: change.leaseToken ?? null,
  });
  return claimRun(store, id);
}

export async function claimRun(store: MemoryRunStore, id: string, worker = 'worker-a'): Promise<ClaimedRun> {
  const [claimed] = await store.claim({ runIds: [id], worker, leaseMs: 15_000, maxFormat: 1 });
  if (!claimed) throw new Error(`run ${id} cannot be claimed`);
  return claimed;
}

/** Appends as the holder of the run's present fence. */
export async function appendTo(
  store: MemoryRunStore,
  id: string,
  events: RunEventBody[],
  row = {},
  outbox: OutboxRow[] = [],
) {
  const { fence, seq } = store.run(id).row;
  const at = '2026-01-05T09:00:01.000Z';
  const outcome = await store.append({ runId: id, fence, expectedSeq: seq, at, events, row, outbox, usage: [] });
  if (outcome.kind !== 'appended') throw new Error('the append was stale');
}

/** Pauses the run with these questions; their notes are delivered when note ids are given. */
export async function pauseRun(
  service: Service,
  id: string,
  pauseId: string,
  kind: 'question' | 'context_gate' | 'approval',
  noteId?: number,
) {
  const movement = kind === 'approval' ? 'sign' : 'plan';
  const questions = kind === 'question' ? [questionOf(`q-${pauseId}`)] : [];
  await appendTo(
    service.store,
    id,
    [
      ...(service.store.run(id).row.seq === 1
        ? [{ type: 'pinned' as const, effectId: 'p', commit: 'c0ffee', language: 'en' }]
        : []),
      { type: 'paused', pauseId, kind, movement, questions, missing: [] },
    ],
    { status: 'NEEDS_INPUT', pause: { id: pauseId, kind } },
  );
  if (noteId !== undefined) {
    const pause = service.store.run(id).pauses.find((known) => known.id === pauseId);
    if (pause) pause.firstNoteId = noteId;
  }
}

/** The note of pause `p1`, not posted yet. */
export const questionRow: OutboxRow = {
  kind: 'question',
  itemGlobalId: 501,
  projectId: 1,
  iid: 1,
  runId: 'run-a',
  pauseId: 'p1',
  marker: 'q1',
  body: 'Which?',
  discussion: true,
  replyTo: null,
  itemUrl: '',
  questionId: 'q-p1',
};
