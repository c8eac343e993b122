/** What people see of new events: outbox rows and the row's projection, written in the same append (D11). */
import type { RunEventBody } from '../domain/run/events.ts';
import type { RunState } from '../domain/run/state.ts';
import { marker } from '../domain/text/marker.ts';
import { renderBudget } from '../domain/workplan/budget-note.ts';
import { type KeptNote, renderKept } from '../domain/workplan/kept.ts';
import { statusLabel } from '../domain/workplan/labels.ts';
import { renderEnd, renderGate, renderPlanReady, renderQuestion, renderStatus } from '../domain/workplan/notes.ts';
import { renderWorkplan } from '../domain/workplan/render.ts';
import { type RunView, viewOf } from '../domain/workplan/view.ts';
import type { OutboxRow } from '../ports/outbox.ts';
import type { GenerationStatus, RowChange, RunRow, RunSettings } from '../ports/run-store.ts';
import { statusUrl } from './addresses.ts';

export interface Announcement {
  row: RowChange;
  outbox: OutboxRow[];
  /** True when the status note does not show how far the run is now: the movement before ended too soon for an edit. */
  behind: boolean;
}

/** The generationStatus of a state (spec 2). */
export function statusOf(state: RunState): Exclude<GenerationStatus, 'NOT_STARTED'> {
  const { phase } = state;
  if (phase.kind === 'paused') return 'NEEDS_INPUT';
  if (phase.kind !== 'ended') return 'GENERATING';
  return phase.status === 'completed' ? 'COMPLETED' : phase.status === 'canceled' ? 'CANCELED' : 'FAILED';
}

const VISIBLE: ReadonlySet<RunEventBody['type']> = new Set([
  'run_started',
  'pinned',
  'movement_started',
  'action_finished',
  'paused',
  'resumed',
  'replies_read',
  'answers_seen',
  'stalled',
  'stall_ended',
  'ended',
]);

/** Anything that people see but the next movement, which only the progress tells. */
function changesView({ type }: RunEventBody): boolean {
  return VISIBLE.has(type) && type !== 'movement_started';
}

/** What changes the status itself, and not only how far the run is. */
const STATUS_CHANGES: ReadonlySet<RunEventBody['type']> = new Set(['run_started', 'paused', 'resumed', 'ended']);

/** Progress that follows the last event sooner than this is not worth an edit of the status note; told later if it lasts. */
export const QUIET_MS = 3000;

/**
 * `state` is the state after `events`; `sinceMs` the time since the event before them. Events that nobody sees change nothing; a quick
 * movement shows in the row but spares GitLab an edit of the status note.
 */
export function announce(
  state: RunState,
  events: readonly RunEventBody[],
  settings: RunSettings,
  sinceMs = Number.POSITIVE_INFINITY,
): Announcement {
  if (!events.some((event) => VISIBLE.has(event.type))) return { row: {}, outbox: [], behind: false };
  const { phase } = state;
  const row: RowChange = {
    status: statusOf(state),
    reason: phase.kind === 'ended' ? phase.reason : null,
    pause: phase.kind === 'paused' ? { id: phase.pause.id, kind: phase.pause.kind } : null,
    scoreStatus: state.scoreStatus,
    ...(events.some(changesView) ? { view: viewOf(state, settings.provider, settings.budget) } : {}),
    progress: { movement: state.current?.name ?? null, iteration: state.iteration },
  };
  const outbox = state.item ? rowsOf(state, events, settings) : [];
  const changes = events.some((event) => STATUS_CHANGES.has(event.type));
  const quick = sinceMs < QUIET_MS && !changes;
  // What tells how far the run is says nothing of the label, so that the item is not asked for it each time.
  if (state.item && !quick)
    outbox.push({ ...statusRow(state, settings), label: changes ? statusLabel(statusOf(state)) : null });
  return { row, outbox, behind: state.item !== null && quick };
}

function rowsOf(state: RunState, events: readonly RunEventBody[], settings: RunSettings): OutboxRow[] {
  const rows: OutboxRow[] = [];
  const planChanged = events.some((event) => event.type === 'action_finished' && event.outcome === 'done');
  const scoreEnded = state.phase.kind === 'ended' && state.workplan !== null && state.scoreStatus !== 'EVALUATED';
  for (const event of events) if (event.type === 'paused') rows.push(...pauseRows(state, event, settings));
  if (state.workplan && (planChanged || scoreEnded)) rows.push(planRow(state, settings));
  if (settings.planTarget === 'description' && events.some(isPlanWritten)) rows.push(planReadyRow(state, settings));
  const ended = events.find((event) => event.type === 'ended');
  if (ended?.type === 'ended' && ended.status === 'failed') rows.push(endRow(state, settings));
  return rows;
}

/**
 * What people see of a Continue, by the row alone: the log of a run that waits need not be read for it. Null for a row of an older
 * version, which does not say enough.
 */
export function announceResumed(run: RunRow): Pick<Announcement, 'row' | 'outbox'> | null {
  const view = (run.view ?? {}) as Partial<RunView>;
  const { movement = null, iteration = 0 } = view;
  const body = statusText({ ...run, status: 'GENERATING', pause: null, reason: null });
  if (body === null) return null;
  const label = statusLabel('GENERATING');
  const own = { kind: 'status', body, label, marker: marker({ run: run.id, kind: 'status' }) } as const;
  return {
    row: {
      status: 'GENERATING',
      reason: null,
      pause: null,
      scoreStatus: run.scoreStatus,
      view: { ...view, gate: null },
      progress: { movement, iteration },
    },
    outbox: [rowFor({ item: run.item, runId: run.id }, own)],
  };
}

/** What the status note says by the run's row alone; null for a row of an older version, which does not say enough. */
export function statusText(
  { status, pause, reason, scoreStatus, view }: Pick<RunRow, 'status' | 'pause' | 'reason' | 'scoreStatus' | 'view'>,
  progress?: { movement: string | null; iteration: number },
): string | null {
  const { language, provider, questions = [], movement = null, iteration = 0 } = (view ?? {}) as Partial<RunView>;
  if (language === undefined || provider === undefined) return null;
  const openQuestions = pause ? questions.filter((question) => question.state === 'open').length : 0;
  const note = { status, pause: pause?.kind ?? null, reason, language, movement, iteration, openQuestions, provider };
  return renderStatus({ ...note, ...progress, scoreStatus });
}

type RowBase = Pick<OutboxRow, 'kind' | 'body' | 'marker'> & Partial<OutboxRow>;

function rowFor(state: Pick<RunState, 'item' | 'runId'>, row: RowBase): OutboxRow {
  const item = state.item;
  if (!item) throw new Error('A run without an item has no notes.');
  return {
    itemGlobalId: item.globalId,
    projectId: item.projectId,
    iid: item.iid,
    runId: state.runId,
    pauseId: null,
    discussion: false,
    replyTo: null,
    itemUrl: item.webUrl,
    questionId: null,
    ...row,
    body: `${row.body}\n\n${row.marker}`,
    ...(row.kept ? { kept: `${row.kept}\n\n${row.marker}` } : {}),
  };
}

/** What is posted instead where more people read the item than the code; who delivers decides. */
function keptBody(state: RunState, settings: RunSettings, kind: KeptNote['kind'], who: string | null): string {
  const { publicUrl, provider } = settings;
  const { language, item } = state;
  const url = publicUrl && item ? statusUrl(publicUrl, item.projectId, item.iid) : null;
  return renderKept({ kind, language, mention: who, url, provider });
}

function mention(state: RunState): string | null {
  return (state.told ?? state.startedBy)?.username ?? null;
}

function pauseRows(
  state: RunState,
  event: Extract<RunEventBody, { type: 'paused' }>,
  settings: RunSettings,
): OutboxRow[] {
  const { language } = state;
  const { pauseId } = event;
  if (event.kind === 'question') {
    return event.questions.map((question, index) => {
      const first = index === 0;
      const total = event.questions.length;
      const body = renderQuestion({
        question,
        language,
        mention: first ? mention(state) : null,
        format: settings.questionFormat,
        number: index + 1,
        total,
        provider: settings.provider,
      });
      const kept = keptBody(state, settings, 'question', first ? mention(state) : null);
      const own = marker({ run: state.runId, kind: 'question', pause: pauseId, q: question.id });
      const place = { pauseId, discussion: true, questionId: question.id };
      return rowFor(state, { kind: 'question', body, kept, marker: own, ...place });
    });
  }
  const reached = state.phase.kind === 'paused' ? state.phase.pause.budget : undefined;
  if (event.kind === 'budget' && reached) {
    const body = renderBudget({ reached, language, mention: mention(state), provider: settings.provider });
    const own = marker({ run: state.runId, kind: 'gate', pause: pauseId });
    return [rowFor(state, { kind: 'gate', body, marker: own, pauseId })];
  }
  const kind = event.kind === 'context_gate' ? 'gate' : 'approval';
  const { provider } = settings;
  const unchanged = state.description?.unchanged === true;
  const body = renderGate({ missing: event.missing, language, mention: mention(state), provider, unchanged });
  // An approval is asked for in fixed words.
  const kept = kind === 'gate' ? keptBody(state, settings, 'gate', mention(state)) : null;
  return [rowFor(state, { kind, body, kept, marker: marker({ run: state.runId, kind, pause: pauseId }), pauseId })];
}

function planRow(state: RunState, settings: RunSettings): OutboxRow {
  const { workplan, score, scoreStatus, language, commit } = state;
  if (!workplan) throw new Error('There is no plan to show.');
  const inDescription = settings.planTarget === 'description';
  // A description mentions nobody: that is the completion note's.
  const starter = inDescription ? null : mention(state);
  const body = renderWorkplan({
    plan: workplan,
    score,
    scoreStatus,
    language,
    starter,
    provider: settings.provider,
    commit,
    revision: 1,
  });
  const kept = keptBody(state, settings, 'plan', starter);
  const own = marker({ run: state.runId, kind: 'plan', ...(inDescription ? { in: 'description' } : {}) });
  return rowFor(state, { kind: 'plan', body, kept, marker: own });
}

function isPlanWritten(event: RunEventBody): boolean {
  return event.type === 'action_finished' && event.outcome === 'done' && event.data['workplan'] !== undefined;
}

/** The completion note of a plan that stands in the description: once a run, whatever is revised there (spec 2: Workplan and score). */
function planReadyRow(state: RunState, settings: RunSettings): OutboxRow {
  const { language, item } = state;
  const body = renderPlanReady({
    language,
    mention: mention(state),
    url: item?.webUrl ?? null,
    provider: settings.provider,
  });
  const kept = keptBody(state, settings, 'plan', mention(state));
  return rowFor(state, { kind: 'plan', body, kept, marker: marker({ run: state.runId, kind: 'plan' }) });
}

function endRow(state: RunState, settings: RunSettings): OutboxRow {
  const { phase, language } = state;
  if (phase.kind !== 'ended') throw new Error('The run has not ended.');
  const { reason, message } = phase;
  const body = renderEnd({
    status: statusOf(state),
    reason,
    message,
    language,
    mention: mention(state),
    by: null,
    provider: settings.provider,
  });
  const kept = keptBody(state, settings, 'end', mention(state));
  return rowFor(state, { kind: 'end', body, kept, marker: marker({ run: state.runId, kind: 'end' }) });
}

/** Questions of the pause that stands which nobody has answered yet: those of earlier ones are decided. */
function openQuestions({ phase, questions }: RunState): number {
  if (phase.kind !== 'paused') return 0;
  return questions.filter((asked) => asked.pauseId === phase.pause.id && asked.state === 'open').length;
}

/**
 * The one status note of a run (spec 2: Notes on the item); also what tells of a cancel. `ahead`: it waits for its turn, and for how many.
 */
export function statusRow(state: RunState, settings: RunSettings, ahead: number | null = null): OutboxRow {
  const { phase } = state;
  const body = renderStatus({
    status: statusOf(state),
    pause: phase.kind === 'paused' ? phase.pause.kind : null,
    reason: phase.kind === 'ended' ? phase.reason : null,
    language: state.language,
    movement: state.current?.name ?? null,
    iteration: state.iteration,
    openQuestions: openQuestions(state),
    provider: settings.provider,
    scoreStatus: state.scoreStatus,
    ahead,
    left: state.told && state.startedBy ? { starter: state.startedBy.username, name: state.told.username } : null,
  });
  const canceled = phase.kind === 'ended' && phase.status === 'canceled';
  return rowFor(state, {
    kind: canceled ? 'cancel' : 'status',
    body,
    marker: marker({ run: state.runId, kind: 'status' }),
  });
}
