import { expect, test } from 'vitest';
import { violations } from '../../../../scripts/chaos/checks.ts';
import type { History } from '../../../../scripts/chaos/history.ts';
import { goodHistory } from './history-of.ts';

function first<T>(values: T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('there is none');
  return value;
}

/** The names of the checks that object once this was spoilt. */
function objecting(spoil: (history: History) => void): string[] {
  const history = goodHistory();
  spoil(history);
  return [...new Set(violations(history).map((violation) => violation.replace(/:.*/s, '')))];
}

const item = (history: History) => first(history.items);
const run = (history: History) => first(history.runs);
const event = (history: History, type: string) => first(history.events.filter((known) => known.type === type));
const posted = (history: History, kind: string) =>
  first(item(history).notes.filter((note) => note.body.includes(`kind=${kind}`)));

test('nothing is said of a history in which everything holds', () => {
  expect(violations(goodHistory())).toEqual([]);
});

/** The run is ended from outside instead: its fence is raised by that. */
function endFromOutside(history: History, ends: boolean): void {
  history.audit = history.audit.filter(({ what, type }) => what !== 'end' && type !== 'ended');
  const last = { ...first(history.audit), app: 'worker-3', fence: 3 };
  if (ends) history.audit.push({ ...last, no: 20, what: 'end', seq: null, type: null });
  history.audit.push({ ...last, no: 21, what: 'event', seq: 6, type: 'warning' });
  history.audit.push({ ...last, no: 22, what: 'event', seq: 7, type: 'ended' });
}

test('what an end from outside is told with is written by who ends the run', () => {
  expect(objecting((history) => endFromOutside(history, true))).not.toContain('noWriteUnderAnOldFence');
});

test.each<[string, string, (history: History) => void]>([
  [
    'noWriteUnderAnOldFence',
    'somebody who neither held nor ended the run warned of its end',
    (history) => endFromOutside(history, false),
  ],
  [
    'acceptedActionsLedOn',
    'a Continue was accepted of which the log shows nothing',
    (history) => {
      first(history.accepted.filter(({ action }) => action === 'continue')).person = 'dave';
    },
  ],
  [
    'acceptedActionsLedOn',
    'a plan was accepted and its run is not there',
    (history) => {
      first(history.accepted).runId = 'run-9';
    },
  ],
  [
    'acceptedActionsLedOn',
    'a cancel was accepted and the run completed',
    (history) => {
      history.accepted.push({ action: 'cancel', person: 'alice', itemId: 501, runId: 'run-1', pauseId: null });
    },
  ],
  [
    'commandsAnswered',
    'a command was neither done nor refused',
    (history) => {
      history.actions = [];
      item(history).notes = item(history).notes.filter((note) => !note.body.includes('kind=reply'));
    },
  ],
  [
    'commandsAnswered',
    'a command was done in a run that shows nothing of it',
    (history) => {
      first(history.actions).runId = 'run-1';
    },
  ],
  [
    'commandsAnswered',
    'a command was done twice',
    (history) => {
      history.actions.push({ key: 'item:501/note:4/refusal', runId: null });
    },
  ],
  [
    'oneLiveRunAnItem',
    'a second run began while the first was live',
    (history) => {
      history.audit.splice(3, 0, { ...first(history.audit), runId: 'run-2' });
    },
  ],
  [
    'pausesContinuedOnce',
    'two Continues of one pause were answered 202',
    (history) => {
      history.accepted.push(first(history.accepted.filter(({ action }) => action === 'continue')));
    },
  ],
  [
    'pausesContinuedOnce',
    'a pause was resumed twice',
    (history) => {
      const { data } = event(history, 'resumed');
      Object.assign(event(history, 'action_finished'), { type: 'resumed', data });
    },
  ],
  [
    'noWriteUnderAnOldFence',
    'a worker wrote after another had claimed the run',
    (history) => {
      first(history.audit.filter(({ type }) => type === 'replies_read')).app = 'worker-1';
    },
  ],
  [
    'noWriteUnderAnOldFence',
    'a claim did not raise the fence',
    (history) => {
      first(history.audit.filter(({ app, what }) => app === 'worker-2' && what === 'claim')).fence = 1;
    },
  ],
  [
    'noWriteUnderAnOldFence',
    'somebody who had claimed nothing wrote an outcome',
    (history) => {
      history.audit.push({ ...first(history.audit), no: 99, what: 'event', fence: 3, type: 'agent_finished', seq: 7 });
    },
  ],
  [
    'logsAreWhole',
    'an event is missing',
    (history) => {
      history.events = history.events.filter(({ seq }) => seq !== 4);
    },
  ],
  [
    'logsAreWhole',
    'an event follows the end',
    (history) => {
      history.events.push({ ...event(history, 'action_finished'), seq: 7, data: { effectId: 'e3' } });
      run(history).seq = 7;
    },
  ],
  [
    'logsAreWhole',
    'an effect has two outcomes',
    (history) => {
      event(history, 'action_finished').data.effectId = 'e1';
    },
  ],
  [
    'markersOnce',
    'a marker stands twice',
    (history) => {
      item(history).notes.push({ ...posted(history, 'plan'), id: 9 });
    },
  ],
  [
    'markersOnce',
    'a note that is recorded does not stand there',
    (history) => {
      first(history.recorded).noteId = 99;
    },
  ],
  [
    'lookedBeforePosting',
    'a note was posted and nobody had looked',
    (history) => {
      history.journal = history.journal.filter(({ method }) => method === 'POST');
    },
  ],
  [
    'lookedBeforePosting',
    'a note was posted again after an answer that did not say what became of it',
    (history) => {
      history.journal.push({ ...first(history.journal.slice(-1)), id: 3 });
    },
  ],
  [
    'nothingAskedAfterCancel',
    'a question of a cancelled run stands there, and was recorded nowhere',
    (history) => {
      run(history).status = 'CANCELED';
      event(history, 'ended').data.status = 'canceled';
      posted(history, 'status').body = posted(history, 'status').body.replace('Completed', 'Canceled');
      history.recorded = history.recorded.filter(({ noteId }) => noteId !== 2);
    },
  ],
  [
    'noReplyLost',
    'a reply that stood there was not read',
    (history) => {
      event(history, 'replies_read').data.answers = [];
    },
  ],
  [
    'noReplyLost',
    'an older reply was read although a newer one stood there',
    (history) => {
      history.replies.push({ ...first(history.replies), noteId: 4, token: 'word-2' });
    },
  ],
  [
    'noReplyLost',
    'a reply was read of somebody who may not answer',
    (history) => {
      first(history.replies).eligible = false;
    },
  ],
  [
    'endedOrVisiblyWaiting',
    'a run is still at work',
    (history) => {
      Object.assign(run(history), { status: 'GENERATING', live: true, seq: 5 });
      history.events.pop();
    },
  ],
  [
    'endedOrVisiblyWaiting',
    'a run completed and its plan does not stand there',
    (history) => {
      history.recorded = history.recorded.filter(({ noteId }) => noteId !== 5);
      item(history).notes = item(history).notes.filter(({ id }) => id !== 5);
    },
  ],
  [
    'endedOrVisiblyWaiting',
    'the status note says something else',
    (history) => {
      posted(history, 'status').body = posted(history, 'status').body.replace('Completed', 'Working');
    },
  ],
  [
    'endedOrVisiblyWaiting',
    'a run waits for an answer to a question that nobody sees',
    (history) => {
      history.events = history.events.slice(0, 2);
      Object.assign(run(history), { status: 'NEEDS_INPUT', live: true, seq: 2, pauseId: 'run-1-1' });
      history.accepted = history.accepted.filter(({ action }) => action === 'plan');
      history.recorded = history.recorded.filter(({ noteId }) => noteId !== 2);
      item(history).notes = item(history).notes.filter(({ id }) => id !== 2);
    },
  ],
  [
    'noDeliveryLost',
    'a delivery was acknowledged and is not stored',
    (history) => {
      history.acknowledged.push({ id: 'delivery-2', content: 'note:2' });
    },
  ],
  [
    'noDeliveryLost',
    'a delivery was never worked on',
    (history) => {
      first(history.inbox).state = 'open';
    },
  ],
  [
    'noDeliveryLost',
    'a delivery failed and does not say why',
    (history) => {
      first(history.inbox).state = 'failed';
    },
  ],
  [
    'outboxIsEmpty',
    'something still waits to be told',
    (history) => {
      history.outbox.push({ marker: 'run=run-1;kind=end', error: null });
    },
  ],
  [
    'outboxIsEmpty',
    'something was given up without a reason',
    (history) => {
      history.outboxFailures.push({ itemId: 501, runId: 'run-1', kind: 'end', marker: 'kind=end', error: null });
    },
  ],
])('%s objects: %s', (check, _what, spoil) => {
  expect(objecting(spoil)).toEqual([check]);
});

test('a second event with the same content is no lost delivery', () => {
  expect(objecting((history) => history.acknowledged.push({ id: 'delivery-2', content: 'note:1' }))).toEqual([]);
});

test('an end from outside raises the fence without a claim', () => {
  const objections = objecting((history) => {
    for (const entry of history.audit.slice(-2)) Object.assign(entry, { app: 'api-1', fence: 3 });
  });

  expect(objections).toEqual([]);
});
