import { expect, test } from 'vitest';
import { createMetrics } from '../../../../src/adapters/system/metrics.ts';
import type { Backlog } from '../../../../src/ports/upkeep.ts';

const backlog: Backlog = {
  inbox: { open: 3, oldestDueMs: 1500 },
  outbox: { open: 1, oldestDueMs: null },
  deliveriesGivenUp: 4,
  runs: { generating: 2, needsInput: 5, abandoned: 1 },
};

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith('planwright_'));
}

test('counts what happened to runs', async () => {
  const metrics = createMetrics();
  metrics.runs.started();
  metrics.runs.paused('question', 3);
  metrics.runs.resumed();
  metrics.runs.pauseSeconds(60);
  metrics.runs.answered(2);
  metrics.runs.ended('FAILED', 'deadline');
  const called = {
    model: 'm',
    inputTokens: 10,
    outputTokens: 4,
    cachedTokens: 6,
    cacheWriteTokens: 0,
    estimated: false,
  };
  metrics.runs.used({ ...called, money: 0.5 });
  metrics.runs.used({ ...called, model: 'n', money: null });
  metrics.runs.budgetReached('day', 'money');

  expect(await linesOf(metrics)).toEqual([
    'planwright_runs_started_total 1',
    'planwright_runs_paused_total{kind="question"} 1',
    'planwright_runs_resumed_total 1',
    'planwright_runs_ended_total{status="FAILED",reason="deadline"} 1',
    'planwright_questions_asked_total 3',
    'planwright_questions_answered_total 2',
    'planwright_pause_seconds_total 60',
    'planwright_tokens_total{model="m",direction="input",estimated="false"} 10',
    'planwright_tokens_total{model="m",direction="output",estimated="false"} 4',
    'planwright_tokens_total{model="m",direction="input_cached",estimated="false"} 6',
    'planwright_tokens_total{model="n",direction="input",estimated="false"} 10',
    'planwright_tokens_total{model="n",direction="output",estimated="false"} 4',
    'planwright_tokens_total{model="n",direction="input_cached",estimated="false"} 6',
    'planwright_money_total{model="m"} 0.5',
    'planwright_unpriced_tokens_total{model="n"} 14',
    'planwright_budgets_reached_total{scope="day",what="money"} 1',
  ]);
});

test('counts requests to GitLab by the status of their answer', async () => {
  const metrics = createMetrics();
  metrics.gitlab({ method: 'GET', status: 200, durationMs: 100 });
  metrics.gitlab({ method: 'GET', status: 429, durationMs: 1 });
  metrics.gitlab({ method: 'POST', status: null, durationMs: 30_000 });

  const lines = await linesOf(metrics);

  expect(lines.filter((line) => line.includes('gitlab_requests_total'))).toEqual([
    'planwright_gitlab_requests_total{method="GET",status="200"} 1',
    'planwright_gitlab_requests_total{method="GET",status="429"} 1',
    'planwright_gitlab_requests_total{method="POST",status="none"} 1',
  ]);
});

test('shows what waits, read once for all of it', async () => {
  const metrics = createMetrics();
  let reads = 0;
  metrics.backlogFrom(async () => {
    reads += 1;
    return backlog;
  });

  const lines = await linesOf(metrics);
  await metrics.text();

  expect(lines).toEqual(
    expect.arrayContaining([
      'planwright_waiting{box="inbox"} 3',
      'planwright_given_up{box="inbox"} 4',
      'planwright_oldest_due_seconds{box="inbox"} 1.5',
      'planwright_oldest_due_seconds{box="outbox"} 0',
      'planwright_live_runs{state="needs_input"} 5',
      'planwright_live_runs{state="abandoned"} 1',
    ]),
  );
  expect(reads).toBe(1);
});

test('what cannot be read is left out, the rest is shown', async () => {
  const metrics = createMetrics();
  metrics.backlogFrom(() => Promise.reject(new Error('the database is away')));
  metrics.runs.started();

  const lines = await linesOf(metrics);

  expect(lines).toContain('planwright_runs_started_total 1');
  expect(lines.filter((line) => line.startsWith('planwright_waiting'))).toEqual([]);
});

test('shows how long a queue has been silent, and how often it was listened to anew', async () => {
  const metrics = createMetrics();
  metrics.queueSilence(() => [{ queue: 'runs', seconds: 2.5 }]);
  metrics.listenerRenewed('runs');

  expect(await linesOf(metrics)).toEqual(
    expect.arrayContaining([
      'planwright_queue_silence_seconds{queue="runs"} 2.5',
      'planwright_queue_listeners_renewed_total{queue="runs"} 1',
    ]),
  );
});

test('counts calls of a model by how they ended', async () => {
  const metrics = createMetrics();

  metrics.modelCall({ model: 'm', outcome: 'model_rate_limited', ms: 1500 });
  metrics.modelCall({ model: '', outcome: 'ok', ms: 10 });

  const text = await metrics.text();
  expect(text).toContain('planwright_model_calls_total{model="m",outcome="model_rate_limited"} 1');
  expect(text).toContain('planwright_model_calls_total{model="default",outcome="ok"} 1');
  expect(text).toContain('planwright_model_call_seconds_sum{model="m"} 1.5');
});

test('tells when the token of the service expires, and nothing as long as nobody knows', async () => {
  const known = createMetrics();
  known.tokenExpiryFrom(async () => new Date('2026-02-01T00:00:00.000Z'));
  const unknown = createMetrics();
  unknown.tokenExpiryFrom(async () => null);

  expect(await linesOf(known)).toContain(
    'planwright_gitlab_token_expires_timestamp_seconds{token="service"} 1769904000',
  );
  expect((await linesOf(unknown)).join()).not.toContain('token_expires');
});
