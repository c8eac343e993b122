import { describe, expect, test } from 'vitest';
import { readStatus } from '../../../src/app/status.ts';
import type { RunView } from '../../../src/domain/workplan/view.ts';
import { TransientFailure } from '../../../src/ports/failures.ts';
import { alice, emptyView } from './fake-runs.ts';
import { createHttp, type Http, ITEM } from './harness.ts';

const full: RunView = {
  ...emptyView,
  provider: 'offline (rule-based)',
  message: 'What it means.',
  questions: [
    {
      id: 'scope',
      type: 'closed',
      question: 'Which export?',
      why: 'Two exist.',
      multiple: false,
      options: [
        { id: 'orders', label: 'Orders', description: '  Kept as it is, blanks included.  ', recommended: true },
        { id: 'both', label: 'Both', recommended: false },
      ],
      recommendation: 'Orders are what the item names.',
      state: 'answered',
    },
    {
      id: 'limit',
      type: 'open',
      question: 'How many rows?',
      why: 'Nobody says.',
      multiple: false,
      options: [],
      recommendation: '10,000',
      state: 'open',
    },
  ],
  answers: [
    {
      questionId: 'scope',
      by: { id: 12, username: 'bob', role: 'Reporter' },
      optionIds: ['orders'],
      text: '1',
      via: 'reply',
    },
    { questionId: 'scope', by: { id: 11, username: 'alice' }, optionIds: [], text: '', via: 'carried' },
  ],
  workplan: {
    goal: 'Limit the export',
    requirements: [{ id: 'R1', text: 'At most 10,000 rows', source: 'description#L1' }],
    findings: [
      {
        text: 'No limit',
        path: 'src/export.ts',
        startLine: 1,
        endLine: 1,
        commit: 'abc',
        url: 'https://gitlab.example/x',
      },
      { text: 'No test', path: 'tests/export.ts', startLine: 1, endLine: 2 },
    ],
    decisions: [
      { text: 'Orders only', questionId: 'scope', confirmed: true },
      { text: 'Cut silently', confirmed: false },
    ],
    units: [
      {
        id: 'U1',
        title: 'Limit',
        why: 'R1',
        files: [{ path: 'src/export.ts', state: 'existing' }],
        dependsOn: [],
        parallelWith: ['U2'],
        covers: ['R1'],
        acceptance: ['10,001 rows give 10,000'],
        verify: ['npm test'],
        size: 'S',
      },
    ],
    outOfScope: ['Imports'],
    risks: ['Reports that count on all rows'],
    openQuestions: ['How many rows?'],
  },
  score: {
    value: 87,
    band: 'High',
    feedback: [{ text: 'Name the endpoint', blocking: false }],
    checks: [{ code: 'coverage', ok: true, message: 'All covered' }],
  },
  movement: 'write',
  iteration: 5,
};

function finished(http: Http) {
  const run = http.runs.put({ status: 'COMPLETED', scoreStatus: 'EVALUATED', view: full });
  const note = { runId: run.id, marker: 'm', pauseId: 'p1', noteId: 5, discussionId: 'd' };
  http.notes.push(
    { ...note, kind: 'question', questionId: 'scope', url: 'https://gitlab.example/n1' },
    { ...note, kind: 'plan', questionId: null, url: 'https://gitlab.example/n2' },
  );
  http.failures.push({ marker: 'm', kind: 'end', error: 'refused' });
  return run;
}

describe('the answer', () => {
  test('before the first run', async () => {
    const http = await createHttp();
    const answered = await http.get(ITEM);
    expect(answered.status).toBe(200);
    expect(answered.json).toEqual({
      generationStatus: 'NOT_STARTED',
      runId: null,
      startedBy: null,
      questions: [],
      answers: [],
      score: null,
      scoreStatus: 'NOT_EVALUATED',
      executionStatus: 'NONE',
      revision: 0,
      movement: null,
      iteration: 0,
      noteUrls: [],
      workplanUrl: null,
      provider: null,
      updatedAt: null,
    });
  });

  test('shows everything of a finished run as it was stored', async () => {
    const http = await createHttp();
    const run = finished(http);
    const answered = await http.get(ITEM);
    const outbox = { notesOfRun: async () => http.notes, failures: async () => http.failures };
    expect(answered.status).toBe(200);
    expect(answered.json).toEqual(await readStatus({ store: http.runs, outbox }, run));
    expect(answered.json).toMatchObject({
      startedBy: alice,
      workplan: full.workplan,
      score: full.score,
      answers: full.answers,
      revision: 1,
      provider: 'offline (rule-based)',
      message: 'What it means.',
      noteUrls: ['https://gitlab.example/n1', 'https://gitlab.example/n2'],
      deliveryFailed: ['end'],
    });
    expect(answered.json?.['questions']).toEqual([
      { ...full.questions[0], noteUrl: 'https://gitlab.example/n1' },
      { ...full.questions[1], noteUrl: null },
    ]);
  });

  test.each([
    [
      'a pause',
      { status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'context_gate' } },
      { pause: { id: 'p1', kind: 'context_gate' } },
    ],
    ['a failure', { status: 'FAILED', reason: 'deadline' }, { generationStatus: 'FAILED', reason: 'deadline' }],
    ['a cancel', { status: 'CANCELED', reason: 'item_closed', scoreStatus: 'CANCELED' }, { scoreStatus: 'CANCELED' }],
  ] as const)('shows %s', async (_name, run, shown) => {
    const http = await createHttp();
    http.runs.put(run);
    const answered = await http.get(ITEM);
    expect([answered.status, answered.json]).toEqual([200, expect.objectContaining(shown)]);
  });

  test('does not mind limits that hold for agents: what was stored is shown', async () => {
    const http = await createHttp();
    const workplan = full.workplan && { ...full.workplan, goal: '', units: [], requirements: [] };
    const [question] = full.questions;
    const questions = question ? [{ ...question, question: 'two\nlines', options: [] }] : [];
    http.runs.put({ view: { ...full, workplan, questions } });
    const answered = await http.get(ITEM);
    expect([answered.status, answered.json?.['workplan']]).toEqual([200, workplan]);
  });

  test('the newest run is shown', async () => {
    const http = await createHttp();
    http.runs.put({ status: 'CANCELED' });
    http.runs.put({ status: 'GENERATING' });
    expect((await http.get(ITEM)).json).toMatchObject({ runId: 'run-2', generationStatus: 'GENERATING' });
  });
});

describe('ETag', () => {
  test('is run and version, and the answer is private and revalidated', async () => {
    const http = await createHttp();
    http.runs.put({ version: 4 });
    const { headers } = await http.get(ITEM);
    expect([headers.etag, headers['cache-control']]).toEqual(['"run-1.4"', 'private, no-cache']);
  });

  test.each([
    ['"run-1.1"', 304],
    ['W/"run-1.1"', 304],
    ['*', 304],
    ['"other", W/"run-1.1" , "x"', 304],
    ['"run-1.2"', 200],
    ['run-1.1', 200],
    ['"run-1.1', 200],
    ['W/"run-1.11"', 200],
    ['', 200],
    [',', 200],
    ['"none"', 200],
  ])('If-None-Match: %s gives %i', async (header, status) => {
    const http = await createHttp();
    http.runs.put();
    expect((await http.get(ITEM, 'alice', { 'if-none-match': header })).status).toBe(status);
  });

  test('304 has no body, no type, and the headers that a 200 has for caches', async () => {
    const http = await createHttp();
    http.runs.put();
    const answered = await http.get(ITEM, 'alice', { 'if-none-match': '*' });
    expect(answered.body).toBe('');
    expect(answered.headers).toMatchObject({ etag: '"run-1.1"', 'cache-control': 'private, no-cache' });
    expect(answered.headers).not.toHaveProperty('content-type');
  });

  test('304 also while nothing was begun, and no longer once a plan is', async () => {
    const http = await createHttp();
    const { headers } = await http.get(ITEM);
    const known = { 'if-none-match': String(headers.etag) };
    const before = await http.get(ITEM, 'alice', known);
    await http.post(`${ITEM}/plan`);
    expect([before.status, (await http.get(ITEM, 'alice', known)).status]).toEqual([304, 200]);
  });

  test('changes with an action', async () => {
    const http = await createHttp();
    http.runs.put({ status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'question' } });
    const known = { 'if-none-match': '"run-1.1"' };
    await http.post(`${ITEM}/continue`);
    expect((await http.get(ITEM, 'alice', known)).json).toMatchObject({ generationStatus: 'GENERATING' });
  });

  test('a failure carries none', async () => {
    const http = await createHttp();
    http.runs.put();
    http.runs.failNext(new TransientFailure('store_unavailable', 'away'));
    const answered = await http.get(ITEM);
    expect([answered.status, answered.headers['cache-control']]).toEqual([503, 'no-store']);
    expect(answered.headers).not.toHaveProperty('etag');
  });

  test('a failure after it was known carries none either', async () => {
    const outbox = { notesOfRun: async () => Promise.reject(new Error('odd')), failures: async () => [] };
    const http = await createHttp({ deps: { outbox } });
    http.runs.put();
    const answered = await http.get(ITEM);
    expect(answered.status).toBe(500);
    expect(answered.headers).not.toHaveProperty('etag');
  });
});

test('HEAD is GET without the body, 304 included', async () => {
  const http = await createHttp();
  http.runs.put();
  const headers = { authorization: 'Bearer token-alice' };
  const head = await http.send({ method: 'HEAD', url: ITEM, headers });
  const unchanged = await http.send({ method: 'HEAD', url: ITEM, headers: { ...headers, 'if-none-match': '*' } });
  expect([head.status, head.body, head.headers.etag, unchanged.status]).toEqual([200, '', '"run-1.1"', 304]);
});
