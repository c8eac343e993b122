/** What is told of a plan that stands in the description (spec 2: `plan_target`). */
import { expect, test } from 'vitest';
import { announce, statusRow } from '../../../src/app/announce.ts';
import { EVENT_VERSION, type RunEventBody } from '../../../src/domain/run/events.ts';
import { apply, initialState } from '../../../src/domain/run/fold.ts';
import { personOf, runSettings } from './setup.ts';

const started: RunEventBody = {
  type: 'run_started',
  goal: 'Plan it',
  startedBy: personOf('alice'),
  item: {
    globalId: 501,
    projectId: 1,
    projectPath: 'acme/sample',
    iid: 1,
    title: 'Limit the export',
    webUrl: 'https://gitlab.example/i',
    reference: 'acme/sample#1',
  },
  interactive: true,
  reportDir: 'r',
  carried: [],
};
const finished = (effectId: string, data: Record<string, unknown>): RunEventBody => ({
  type: 'action_finished',
  effectId,
  movement: 'write',
  outcome: 'done',
  message: '',
  data,
});
const workplan = {
  goal: 'Goal',
  requirements: [],
  findings: [],
  decisions: [],
  units: [],
  outOfScope: [],
  risks: [],
  openQuestions: [],
};
const published = finished('e1', { workplan, scoring: true });
const scored = finished('e2', { score: { value: 88, band: 'High', feedback: [], checks: [] } });

function rowsOf(before: RunEventBody[], events: RunEventBody[]) {
  const state = initialState('run-a');
  for (const body of [...before, ...events])
    apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
  const { outbox } = announce(state, events, { ...runSettings, planTarget: 'description' });
  return { state, rows: outbox.filter((row) => row.kind === 'plan') };
}

test('the plan goes into the description without mentioning anybody, a note of its own mentions the starter', () => {
  const [plan, note] = rowsOf([started], [published]).rows;

  expect(plan?.marker).toContain('in=description');
  expect(plan?.body).not.toContain('@alice');
  expect(note?.marker).not.toContain('in=description');
  expect(note?.body).toContain('@alice');
  expect(note?.body).toContain('https://gitlab.example/i');
  expect(note?.body).not.toContain('Goal');
});

test('a new revision goes into the description alone', () => {
  const { rows } = rowsOf([started, published], [scored]);

  expect(rows.map((row) => row.marker.includes('in=description'))).toEqual([true]);
  expect(rows[0]?.body).toContain('88');
});

test('both have a text for items that more people read than the code', () => {
  for (const row of rowsOf([started], [published]).rows) expect(row.kept).toContain(row.marker);
});

test('the status note of a run that waits for its turn says how many are ahead, and nothing of a movement', () => {
  const { state } = rowsOf([started], []);

  const { body } = statusRow(state, runSettings, 3);

  expect(body).toContain('waiting for its turn: 3 ahead');
  expect(body).not.toContain('step');
});
