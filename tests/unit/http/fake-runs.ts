import type { RunEvent, RunEventBody } from '../../../src/domain/run/events.ts';
import type { RunView } from '../../../src/domain/workplan/view.ts';
import type { RunRow, RunSettings, RunStore, StartRun } from '../../../src/ports/run-store.ts';

type Used = 'start' | 'resume' | 'end' | 'latestForItem' | 'load' | 'pauses';

export interface FakeRuns extends Pick<RunStore, Used> {
  /** All runs, oldest first. */
  readonly rows: RunRow[];
  /** Puts a run there as it is. */
  put(change?: Partial<RunRow>): RunRow;
  /** The next look fails with this. */
  failNext(failure: Error): void;
}

export const emptyView: RunView = {
  questions: [],
  answers: [],
  workplan: null,
  score: null,
  scoreStatus: 'NOT_EVALUATED',
  movement: null,
  iteration: 0,
  gate: null,
};

export const alice = { id: 11, username: 'alice', name: 'Alice', role: 'Developer' };

const item = {
  globalId: 501,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 1,
  title: 'Limit the export',
  webUrl: 'https://gitlab.example/gitlab/acme/sample/-/issues/1',
  reference: 'acme/sample#1',
};

const settings: RunSettings = {
  format: 1,
  interactive: true,
  language: 'en',
  questionFormat: 'hidden',
  score: true,
  provider: 'scripted',
  models: {},
  timeoutMs: 600_000,
  roles: { plan: ['Developer'], continue: ['Developer'], answer: null },
};

const at = '2026-01-05T09:00:00.000Z';

/** What actions and the status need of the store, in memory; the rest throws. */
export function createFakeRuns(): FakeRuns & RunStore {
  const rows: RunRow[] = [];
  const failures: Error[] = [];
  const isLive = (row: RunRow) => row.status === 'GENERATING' || row.status === 'NEEDS_INPUT';
  const byId = (id: string): RunRow => {
    const row = rows.find((known) => known.id === id);
    if (!row) throw new Error(`the fake store has no run ${id}`);
    return row;
  };
  const change = (row: RunRow, changes: Partial<RunRow>): RunRow =>
    structuredClone(Object.assign(row, changes, { version: row.version + 1 }));

  const runs: FakeRuns = {
    rows,
    put(changes = {}) {
      const row: RunRow = {
        id: `run-${rows.length + 1}`,
        itemGlobalId: 501,
        item,
        startedBy: alice,
        status: 'GENERATING',
        reason: null,
        pause: null,
        scoreStatus: 'NOT_EVALUATED',
        view: emptyView,
        fence: 0,
        seq: 1,
        version: 1,
        createdAt: at,
        updatedAt: at,
        ...changes,
      };
      rows.push(row);
      return row;
    },
    failNext: (failure) => void failures.push(failure),
    async latestForItem(itemGlobalId) {
      const failure = failures.shift();
      if (failure) throw failure;
      return structuredClone(rows.findLast((row) => row.itemGlobalId === itemGlobalId) ?? null);
    },
    async start(input: StartRun) {
      const live = rows.find((row) => row.itemGlobalId === input.item.globalId && isLive(row));
      if (live) return { kind: 'already_running', run: structuredClone(live) };
      const { status = 'GENERATING', view = emptyView } = input.row;
      const { id, item: itemRef, startedBy } = input;
      const row = runs.put({ id, item: itemRef, itemGlobalId: itemRef.globalId, startedBy, status, view });
      return { kind: 'started', run: structuredClone(row) };
    },
    async resume({ runId, pauseId }) {
      const row = byId(runId);
      if (row.pause?.id === pauseId)
        return { kind: 'resumed', run: change(row, { pause: null, status: 'GENERATING' }) };
      const kind = pauseId.startsWith('over-') ? 'already_continued' : 'not_resumable';
      return { kind, run: structuredClone(row) };
    },
    async end({ runId, status, reason }) {
      const row = byId(runId);
      if (!isLive(row)) return { kind: 'not_live', run: structuredClone(row) };
      return { kind: 'ended', run: change(row, { status, reason, pause: null }) };
    },
    async load(runId) {
      const row = byId(runId);
      const piece = { name: 'workplan', file: 'workplan.yaml', text: 'name: workplan\n', files: {} };
      return { row: structuredClone(row), piece, settings, events: logOf(row) };
    },
    pauses: async () => [],
  };
  return new Proxy(runs as FakeRuns & RunStore, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      throw new Error(`the fake store did not expect ${String(name)}`);
    },
  });
}

/** A log that folds to what the row shows. */
function logOf(row: RunRow): RunEvent[] {
  const started: RunEventBody = {
    type: 'run_started',
    goal: 'Plan it',
    startedBy: row.startedBy,
    item: row.item,
    interactive: true,
    reportDir: '20260105-limit-the-export',
    carried: [],
  };
  const waiting: RunEventBody[] = row.pause
    ? [
        {
          type: 'paused',
          pauseId: row.pause.id,
          kind: row.pause.kind,
          movement: 'research',
          questions: [],
          missing: [],
        },
      ]
    : [];
  return [started, ...waiting].map((event, index) => ({ ...event, v: 1, seq: index + 1, at }));
}
