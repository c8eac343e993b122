/** A history of one run in which everything holds, for tests that spoil one thing. */
import type { History } from '../../../../scripts/chaos/history.ts';

const ITEM = 501;
const RUN = 'run-1';
const PAUSE = 'run-1-1';
const alice = { id: 11, username: 'alice' };

export function goodHistory(): History {
  const events = [
    { type: 'run_started', startedBy: alice },
    { type: 'paused', pauseId: PAUSE, kind: 'question', questions: [{ id: 'scope' }] },
    { type: 'resumed', pauseId: PAUSE, by: alice, via: 'api' },
    {
      type: 'replies_read',
      effectId: 'e1',
      pauseId: PAUSE,
      answers: [{ questionId: 'scope', by: { username: 'bob' }, text: '1 - because of word-1' }],
    },
    { type: 'action_finished', effectId: 'e2', outcome: 'done' },
    { type: 'ended', status: 'completed', by: null },
  ].map((data, index) => ({
    runId: RUN,
    seq: index + 1,
    at: `2026-01-12T09:00:0${index}.000Z`,
    type: data.type,
    data,
  }));
  const note = (id: number, text: string, marker: string) => ({
    id,
    discussionId: `d${id}`,
    author: 'planwright',
    body: `${text}\n\n<!-- planwright:${marker} -->`,
  });
  const status = `run=${RUN};kind=status`;
  const question = `run=${RUN};kind=question;pause=${PAUSE};q=scope`;
  const plan = `run=${RUN};kind=plan`;
  const posted = [note(1, '**Completed**', status), note(2, 'What?', question), note(5, '## Workplan', plan)];
  return {
    runs: [{ id: RUN, itemId: ITEM, status: 'COMPLETED', reason: null, live: false, pauseId: null, seq: 6 }],
    events,
    audit: [
      { what: 'start', app: 'api-1', fence: 0, seq: null, type: null },
      { what: 'event', app: 'api-1', fence: 0, seq: 1, type: 'run_started' },
      { what: 'claim', app: 'worker-1', fence: 1, seq: null, type: null },
      { what: 'event', app: 'worker-1', fence: 1, seq: 2, type: 'paused' },
      { what: 'event', app: 'api-2', fence: 1, seq: 3, type: 'resumed' },
      { what: 'claim', app: 'worker-2', fence: 2, seq: null, type: null },
      { what: 'event', app: 'worker-2', fence: 2, seq: 4, type: 'replies_read' },
      { what: 'event', app: 'worker-2', fence: 2, seq: 5, type: 'action_finished' },
      { what: 'end', app: 'worker-2', fence: 2, seq: null, type: null },
      { what: 'event', app: 'worker-2', fence: 2, seq: 6, type: 'ended' },
    ].map((entry, no) => ({ ...entry, no, runId: RUN, itemId: ITEM, what: entry.what as 'start' })),
    inbox: [{ id: 'delivery-1', content: 'note:1', state: 'done', error: null }],
    outbox: [],
    outboxFailures: [],
    recorded: [
      { itemId: ITEM, marker: `<!-- planwright:${status} -->`, noteId: 1 },
      { itemId: ITEM, marker: `<!-- planwright:${question} -->`, noteId: 2 },
      { itemId: ITEM, marker: `<!-- planwright:${plan} -->`, noteId: 5 },
    ],
    actions: [{ key: `item:${ITEM}/note:4/continue`, runId: null }],
    items: [
      {
        id: ITEM,
        projectId: 1,
        iid: 1,
        notes: [
          ...posted,
          { id: 3, discussionId: 'd2', author: 'bob', body: '1 - because of word-1' },
          { id: 4, discussionId: 'd4', author: 'bob', body: '/workplan continue' },
          note(6, 'Somebody continued it already.', 'kind=reply;note=4'),
        ],
      },
    ],
    journal: [
      { method: 'GET', path: '/projects/1/issues/1/discussions', status: 200, id: null },
      { method: 'POST', path: '/projects/1/issues/1/notes', status: 201, id: 1 },
      { method: 'GET', path: '/projects/1/issues/1/discussions', status: 200, id: null },
      { method: 'POST', path: '/projects/1/issues/1/discussions', status: 502, id: 2 },
    ].map((entry) => ({ ...entry, actor: 'planwright' })),
    acknowledged: [{ id: 'delivery-1', content: 'note:1' }],
    accepted: [
      { action: 'plan', person: 'alice', itemId: ITEM, runId: RUN, pauseId: null },
      { action: 'continue', person: 'alice', itemId: ITEM, runId: RUN, pauseId: PAUSE },
    ],
    commands: [{ action: 'continue', person: 'bob', itemId: ITEM, noteId: 4 }],
    replies: [
      {
        person: 'bob',
        eligible: true,
        itemId: ITEM,
        noteId: 3,
        runId: RUN,
        pauseId: PAUSE,
        questionId: 'scope',
        token: 'word-1',
        storedAt: '2026-01-12T09:00:01.500Z',
      },
    ],
  };
}
