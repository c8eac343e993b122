/** Events to announce, and what is announced of them. */
import { announce } from '../../../src/app/announce.ts';
import { EVENT_VERSION, type RunEventBody } from '../../../src/domain/run/events.ts';
import { apply, initialState } from '../../../src/domain/run/fold.ts';
import { personOf, questionOf, runSettings } from './setup.ts';

export const item = {
  globalId: 501,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 1,
  title: 'Limit the export',
  webUrl: 'https://gitlab.example/i',
  reference: 'acme/sample#1',
};
export const started: RunEventBody = {
  type: 'run_started',
  goal: 'Plan it',
  startedBy: personOf('alice'),
  item,
  interactive: true,
  reportDir: 'r',
  carried: [],
};
export const paused = (
  kind: 'question' | 'context_gate' | 'approval',
  questions = 0,
  missing: string[] = [],
): RunEventBody => ({
  type: 'paused',
  pauseId: 'p1',
  kind,
  movement: 'plan',
  questions: Array.from({ length: questions }, (_value, index) => questionOf(`q${index + 1}`)),
  missing,
});
export const ended = (status: 'completed' | 'failed' | 'canceled', reason: string | null = null): RunEventBody => ({
  type: 'ended',
  status,
  reason,
  message: 'It was too much.',
  by: null,
});
export const plan = {
  goal: 'Limit the export',
  requirements: [{ id: 'R1', text: 'At most 10,000 rows', source: 'description' }],
  findings: [],
  decisions: [],
  units: [
    {
      id: 'U1',
      title: 'Limit the rows',
      why: 'It is asked for.',
      files: [],
      dependsOn: [],
      parallelWith: [],
      covers: ['R1'],
      acceptance: ['10,001 rows are cut'],
      verify: ['npm test'],
      size: 'S',
    },
  ],
  outOfScope: [],
  risks: [],
  openQuestions: [],
};
export const published = (scoring: boolean): RunEventBody => ({
  type: 'action_finished',
  effectId: 'e',
  movement: 'write',
  outcome: 'done',
  message: '',
  data: { workplan: plan, scoring },
});
export const scored: RunEventBody = {
  type: 'action_finished',
  effectId: 'e2',
  movement: 'compute_score',
  outcome: 'done',
  message: '',
  data: { score: { value: 88, band: 'High', feedback: [], checks: [] } },
};

/** What is announced of the last events of a run. */
export function announced(
  before: RunEventBody[],
  events: RunEventBody[],
  change: Partial<typeof runSettings> = {},
  sinceMs?: number,
) {
  const state = initialState('run-a');
  for (const body of [...before, ...events])
    apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
  return { ...announce(state, events, { ...runSettings, ...change }, sinceMs), state };
}

export const kinds = (rows: { kind: string }[]) => rows.map((row) => row.kind);
