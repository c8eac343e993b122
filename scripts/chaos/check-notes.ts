/** What must hold of what people see and say: notes, replies, deliveries (D7, D10, D11; spec 2: Notes on the item). */
import { findMarkers, markerKey } from '../../src/domain/text/marker.ts';
import { eventsByRun } from './check-runs.ts';
import type { Check, History, HistoryItem, HistoryNote } from './history.ts';

const BOT = 'planwright';

function own(item: HistoryItem | undefined): HistoryNote[] {
  return (item?.notes ?? []).filter((note) => note.author === BOT);
}

function markersOf(note: HistoryNote): string[] {
  return findMarkers(note.body).map(markerKey);
}

/** Every note of the service carries one marker, each stands once on its item, and what is recorded as posted stands there. */
export const markersOnce: Check = ({ items, recorded }) => {
  const problems: string[] = [];
  const places = new Map(items.map((item) => [item.id, item]));
  for (const item of items) {
    const where = `item ${item.id}`;
    const markers = own(item).flatMap(markersOf);
    for (const note of own(item))
      if (markersOf(note).length !== 1)
        problems.push(`${where}: note ${note.id} has ${markersOf(note).length} markers`);
    for (const [key, times] of Map.groupBy(markers, (marker) => marker))
      if (times.length > 1) problems.push(`${where}: ${key} stands ${times.length} times`);
  }
  for (const { itemId, marker, noteId } of recorded)
    if (!own(places.get(itemId)).some((note) => note.id === noteId))
      problems.push(`item ${itemId}: ${marker} is recorded as note ${noteId}, which does not stand there`);
  return problems;
};

/** What was posted for a run that was cancelled meanwhile is taken away: only notes that were recorded before the cancel stay. */
export const nothingAskedAfterCancel: Check = ({ runs, items, recorded }) => {
  const canceled = new Set(runs.flatMap((run) => (run.status === 'CANCELED' ? [run.id] : [])));
  const known = new Set(recorded.map((note) => note.noteId));
  return items.flatMap((item) =>
    own(item)
      .filter((note) => !known.has(note.id))
      .filter((note) => findMarkers(note.body).some(({ kind, run = '' }) => kind === 'question' && canceled.has(run)))
      .map((note) => `item ${item.id}: the question in note ${note.id} stands there although its run was cancelled`),
  );
};

/**
 * Before each note was posted somebody looked at what stands there: of an item, at no time were more notes posted than its list was
 * read to an answer. What was stored twice all the same is taken away again; a build that does not look would be caught here.
 */
export const lookedBeforePosting: Check = ({ journal }) => {
  const looks = new Map<string, number>();
  const problems: string[] = [];
  for (const { actor, method, path, status, id } of journal) {
    const [, item, rest] = /^(\/projects\/\d+\/issues\/\d+)\/(notes|discussions(?:\/\w+\/notes)?)$/.exec(path) ?? [];
    if (actor !== BOT || item === undefined) continue;
    const left = looks.get(item) ?? 0;
    if (method === 'GET' && rest === 'discussions' && status === 200) looks.set(item, left + 1);
    if (method !== 'POST' || id === null) continue;
    if (left === 0) problems.push(`${item}: note ${id} was posted although nobody had looked`);
    else looks.set(item, left - 1);
  }
  return problems;
};

/** A reply that stood there before Continue was pressed is in what was read afterwards, unless its author said something newer. */
export const noReplyLost: Check = (history) => {
  const problems: string[] = [];
  const logs = eventsByRun(history);
  const groups = Map.groupBy(history.replies, (reply) => `${reply.runId} ${reply.pauseId} ${reply.questionId}`);
  for (const replies of groups.values()) {
    const [{ runId, pauseId, questionId } = { runId: '', pauseId: '', questionId: '' }] = replies;
    const events = logs.get(runId) ?? [];
    const resumed = events.find((event) => event.type === 'resumed' && event.data.pauseId === pauseId);
    const read = events.find((event) => event.type === 'replies_read' && event.data.pauseId === pauseId);
    if (!resumed || !read) continue;
    const answers = (read.data.answers as { questionId: string; by: { username: string }; text: string }[]).filter(
      (answer) => answer.questionId === questionId,
    );
    for (const answer of answers)
      if (replies.some((reply) => !reply.eligible && answer.text.includes(reply.token)))
        problems.push(`run ${runId}: ${answer.by.username} may not answer, but was read`);
    for (const [person, said] of Map.groupBy(
      replies.filter((reply) => reply.eligible),
      (reply) => reply.person,
    )) {
      const inOrder = said.toSorted((a, b) => a.noteId - b.noteId);
      const newest = inOrder.findLastIndex((reply) => reply.storedAt < resumed.at);
      if (newest < 0) continue;
      const heard = answers.some((answer) =>
        inOrder.slice(newest).some((reply) => answer.by.username === person && answer.text.includes(reply.token)),
      );
      if (!heard)
        problems.push(`run ${runId}: the reply of ${person} to ${questionId} (${inOrder[newest]?.token}) is lost`);
    }
  }
  return problems;
};

/** Every run has ended or waits for people who can see that: status note, questions, plan and end stand on the item. */
export const endedOrVisiblyWaiting: Check = (history) => {
  const items = new Map(history.items.map((item) => [item.id, item]));
  const logs = eventsByRun(history);
  return history.runs.flatMap((run) => {
    if (run.status === 'GENERATING') return [`run ${run.id} is still at work`];
    const notes = own(items.get(run.itemId));
    const lacking = wanted(run, logs.get(run.id) ?? []).filter(
      ({ key, says }) =>
        !notes.some((note) => markersOf(note).includes(key) && note.body.includes(says)) &&
        !history.outboxFailures.some((row) => row.itemId === run.itemId && row.marker.includes(key) && row.error),
    );
    return lacking.map(
      ({ key, says }) => `run ${run.id} (${run.status}): no note ${key}${says ? ` that says "${says}"` : ''}`,
    );
  });
};

const SAID: Record<string, string> = {
  COMPLETED: 'Completed',
  CANCELED: 'Canceled',
  FAILED: 'Failed',
  NEEDS_INPUT: '',
};

function wanted(run: History['runs'][number], events: History['events']): { key: string; says: string }[] {
  const key = (fields: Record<string, string>): string => markerKey({ run: run.id, ...fields });
  const needs = [{ key: key({ kind: 'status' }), says: SAID[run.status] ?? '' }];
  const wrote = events.some((event) => event.type === 'action_finished' && event.data.outcome === 'done');
  if (wrote) needs.push({ key: key({ kind: 'plan' }), says: '' });
  if (run.status === 'FAILED') needs.push({ key: key({ kind: 'end' }), says: '' });
  if (run.status !== 'NEEDS_INPUT') return needs;
  const paused = events.findLast((event) => event.type === 'paused');
  const pause = String(run.pauseId);
  if (paused?.data.kind === 'context_gate') needs.push({ key: key({ kind: 'gate', pause }), says: '' });
  for (const { id } of (paused?.data.questions ?? []) as { id: string }[])
    needs.push({ key: key({ kind: 'question', pause, q: id }), says: '' });
  return needs;
}

/** What was acknowledged is stored, by its id or as the same event; all that is stored is done, or failed and says why. */
export const noDeliveryLost: Check = ({ acknowledged, inbox }) => {
  const ids = new Set(inbox.map((delivery) => delivery.id));
  const contents = new Set(inbox.map((delivery) => delivery.content));
  const lost = acknowledged
    .filter(({ id, content }) => !ids.has(id) && (content === null || !contents.has(content)))
    .map(({ id }) => `delivery ${id} was acknowledged but is not stored`);
  const open = inbox
    .filter(({ state, error }) => state !== 'done' && (state !== 'failed' || !error))
    .map(({ id, state }) => `delivery ${id} is ${state}`);
  return [...lost, ...open];
};

/** Nothing waits to be told any more, and what could not be told says why. */
export const outboxIsEmpty: Check = ({ outbox, outboxFailures }) => [
  ...outbox.map(({ marker, error }) => `${marker} was not delivered (${error ?? 'never tried'})`),
  ...outboxFailures.filter(({ error }) => !error).map(({ marker }) => `${marker} was given up without a reason`),
];
