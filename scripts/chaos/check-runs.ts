/** What must hold of runs, their logs and the actions that people took (D1–D6). */
import type { Check, History, HistoryEvent } from './history.ts';

const ENDED: Record<string, string> = { completed: 'COMPLETED', failed: 'FAILED', canceled: 'CANCELED' };

export function eventsByRun(history: History): Map<string, HistoryEvent[]> {
  return Map.groupBy(
    history.events.toSorted((a, b) => a.seq - b.seq),
    (event) => event.runId,
  );
}

/** Never two live runs on an item, at any time. */
export const oneLiveRunAnItem: Check = ({ audit }) => {
  const live = new Map<number, string>();
  const problems: string[] = [];
  for (const { what, itemId, runId } of audit) {
    const other = live.get(itemId);
    if (what === 'start' && other !== undefined)
      problems.push(`item ${itemId}: run ${runId} began while ${other} was live`);
    if (what === 'start') live.set(itemId, runId);
    if (what === 'end' && other === runId) live.delete(itemId);
  }
  return problems;
};

/** Written without a claim: by people, and by who counts their answers while a run waits. */
const FROM_OUTSIDE: readonly (string | null)[] = ['run_started', 'resumed', 'answers_seen'];

/** Who writes events is who claimed the fence under which they stand; people's Continue and an end from outside need no claim (D6). */
export const noWriteUnderAnOldFence: Check = ({ audit }) => {
  const problems: string[] = [];
  for (const [runId, entries] of Map.groupBy(audit, (entry) => entry.runId)) {
    const holders = new Map<number, string>();
    const ended = new Map<number, string>();
    let fence = 0;
    for (const { what, app, type, seq, ...entry } of entries) {
      if (what === 'claim') {
        if (entry.fence <= fence) problems.push(`run ${runId}: the fence went from ${fence} to ${entry.fence}`);
        holders.set(entry.fence, app);
      } else if (entry.fence < fence) problems.push(`run ${runId}: the fence fell from ${fence} to ${entry.fence}`);
      fence = Math.max(fence, entry.fence);
      if (what === 'end') ended.set(entry.fence, app);
      if (what !== 'event' || FROM_OUTSIDE.includes(type)) continue;
      const holder = holders.get(entry.fence);
      // An end from outside raises the fence itself; what it is told with is written with it.
      if (holder === app || (holder === undefined && ended.get(entry.fence) === app)) continue;
      problems.push(`run ${runId}: ${app} wrote event ${seq} (${type}) while ${holder ?? 'nobody'} held the run`);
    }
  }
  return problems;
};

/** Sequences without gaps and doubles, nothing after the last event, the row as the log says (D5, D12). */
export const logsAreWhole: Check = (history) => {
  const problems: string[] = [];
  const logs = eventsByRun(history);
  for (const run of history.runs) {
    const events = logs.get(run.id) ?? [];
    const say = (problem: string): void => void problems.push(`run ${run.id}: ${problem}`);
    if (events.some((event, index) => event.seq !== index + 1)) say('the sequence of its events has gaps');
    if (events.length !== run.seq) say(`the row says ${run.seq} events, the log has ${events.length}`);
    if (events[0]?.type !== 'run_started') say(`its first event is ${events[0]?.type}`);
    const end = events.findIndex((event) => event.type === 'ended');
    if (end >= 0 && end !== events.length - 1) say(`${events.length - 1 - end} events follow its end`);
    const status = end >= 0 ? ENDED[events[end]?.data.status] : undefined;
    if (end >= 0 && (run.status !== status || run.live)) say(`it ended as ${status}, its row says ${run.status}`);
    if (end < 0 && !run.live) say(`its row says ${run.status}, but it has no end`);
    for (const [id, finished] of Map.groupBy(events.filter(isOutcome), (event) => event.data.effectId))
      if (finished.length > 1) say(`effect ${id} has ${finished.length} outcomes`);
  }
  return problems;
};

function isOutcome(event: HistoryEvent): boolean {
  return typeof event.data.effectId === 'string';
}

/** A pause is continued once, whoever presses from wherever; of all that press over HTTP at most one is told 202. */
export const pausesContinuedOnce: Check = (history) => {
  const problems: string[] = [];
  for (const [runId, events] of eventsByRun(history)) {
    const resumed = Map.groupBy(
      events.filter((event) => event.type === 'resumed'),
      (event) => event.data.pauseId as string,
    );
    for (const [pauseId, times] of resumed)
      if (times.length > 1) problems.push(`run ${runId}: pause ${pauseId} was continued ${times.length} times`);
  }
  const told = Map.groupBy(
    history.accepted.filter((action) => action.action === 'continue'),
    (action) => `${action.runId} ${action.pauseId}`,
  );
  for (const [pause, times] of told)
    if (times.length > 1) problems.push(`pause ${pause}: ${times.length} Continues were answered 202`);
  return problems;
};

/** What was answered with 202 happened, and by who asked for it. */
export const acceptedActionsLedOn: Check = (history) => {
  const logs = eventsByRun(history);
  return history.accepted.flatMap(({ action, person, runId, pauseId }) => {
    const events = logs.get(runId) ?? [];
    const led = leads(action, events, person, pauseId);
    return led ? [] : [`${action} of ${person} was accepted, but run ${runId} shows nothing of it`];
  });
};

function leads(action: string, events: readonly HistoryEvent[], person: string, pauseId: string | null): boolean {
  const by = (event: HistoryEvent): unknown => event.data.by?.username;
  switch (action) {
    case 'plan':
      return events[0]?.type === 'run_started' && events[0].data.startedBy.username === person;
    case 'continue':
      return events.some(
        (event) =>
          event.type === 'resumed' && by(event) === person && (pauseId === null || event.data.pauseId === pauseId),
      );
    case 'cancel':
      return events.some((event) => event.type === 'ended' && event.data.status === 'canceled' && by(event) === person);
    default:
      return false;
  }
}

/** Every command that was written was done or refused in its thread, once. */
export const commandsAnswered: Check = (history) => {
  const logs = eventsByRun(history);
  const actions = Map.groupBy(history.actions, ({ key }) => Number(/^item:\d+\/note:(\d+)\//.exec(key)?.[1]));
  return history.commands.flatMap(({ action, person, itemId, noteId }) => {
    const done = actions.get(noteId) ?? [];
    const what = `${action} of ${person} in note ${noteId} of item ${itemId}`;
    if (done.length > 1) return [`${what} was done ${done.length} times`];
    const runId = done[0]?.runId ?? null;
    if (runId !== null) {
      const led = leads(action, logs.get(runId) ?? [], person, null);
      return led ? [] : [`${what} was done, but run ${runId} shows nothing of it`];
    }
    const told = saysReply(history, itemId, noteId);
    return told ? [] : [`${what} was neither done nor refused`];
  });
};

function saysReply(history: History, itemId: number, noteId: number): boolean {
  const own = `kind=reply;note=${noteId}`;
  const notes = history.items.find((item) => item.id === itemId)?.notes ?? [];
  return (
    notes.some((note) => note.author === 'planwright' && note.body.includes(own)) ||
    history.outboxFailures.some((row) => row.itemId === itemId && row.marker.includes(own))
  );
}
