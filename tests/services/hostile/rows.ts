/** What the service would post of one hostile text, in every note that carries words of a model or a person. */
import { announce } from '../../../src/app/announce.ts';
import { EVENT_VERSION, type RunEventBody } from '../../../src/domain/run/events.ts';
import { apply, initialState } from '../../../src/domain/run/fold.ts';
import { neutralise } from '../../../src/domain/text/clean.ts';
import type { ItemRef } from '../../../src/domain/workplan/people.ts';
import { Question, Workplan } from '../../../src/domain/workplan/schema.ts';
import type { OutboxRow } from '../../../src/ports/outbox.ts';
import type { RunSettings } from '../../../src/ports/run-store.ts';

export const STARTER = { id: 11, username: 'alice', name: 'Alice' };
const SETTINGS: RunSettings = {
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

/** As the schemas let it through: one line where one is asked for, not empty, not too long. */
function inLine(text: string, max: number): string {
  return (
    text
      .replace(/[\r\n]+/g, ' ')
      .trim()
      .slice(0, max)
      .trim() || 'words'
  );
}

function inBlock(text: string, max: number): string {
  return text.trim() === '' ? 'words' : text.slice(0, max);
}

function planOf(text: string): Workplan {
  const block = inBlock(text, 2000);
  const line = inLine(text, 200);
  const short = inBlock(text, 1000);
  return Workplan.parse({
    goal: block,
    requirements: [{ id: 'R1', text: block, source: line }],
    findings: [{ text: block, path: inLine(text, 900), startLine: 1, endLine: 2, commit: 'a'.repeat(40), url: line }],
    decisions: [
      { text: block, confirmed: true, questionId: 'q1' },
      { text: block, confirmed: false },
    ],
    units: [
      {
        id: 'U1',
        title: line,
        why: block,
        files: [{ path: inLine(text, 900), state: 'new' }],
        dependsOn: [],
        parallelWith: ['U2'],
        covers: ['R1'],
        acceptance: [short],
        verify: [short],
        size: 'S',
      },
      {
        id: 'U2',
        title: line,
        why: block,
        files: [],
        dependsOn: ['U1'],
        parallelWith: [],
        covers: [],
        acceptance: [short],
        verify: [],
        size: 'L',
      },
    ],
    outOfScope: [short],
    risks: [short],
    openQuestions: [short],
  });
}

function questionsOf(text: string): Question[] {
  const line = inLine(text, 200);
  const closed = {
    id: 'q1',
    type: 'closed',
    question: inLine(text, 500),
    why: inBlock(text, 2000),
    multiple: false,
    options: [
      { id: 'a', label: line, description: inBlock(text, 500), recommended: true },
      { id: 'b', label: line, description: inBlock(text, 500), recommended: false },
    ],
    recommendation: inBlock(text, 2000),
  };
  return [closed, { ...closed, id: 'q2', type: 'open', options: [] }].map((question) => Question.parse(question));
}

/** Rows of questions, gate, plan with its score and end, each in a run of its own, and the status note of the first. */
export function rowsOf(item: ItemRef, text: string): OutboxRow[] {
  const started: RunEventBody = {
    type: 'run_started',
    goal: neutralise(text, { inline: true }),
    startedBy: STARTER,
    item,
    interactive: true,
    reportDir: 'r',
    carried: [],
  };
  const base = { pauseId: 'p1', movement: 'plan', questions: [], missing: [] };
  const published: RunEventBody = {
    type: 'action_finished',
    effectId: 'e1',
    movement: 'write',
    outcome: 'done',
    message: text,
    data: { workplan: planOf(text), scoring: true },
  };
  const feedback = [{ text: inBlock(text, 500), blocking: true }];
  const checks = [{ code: 'x', ok: false, message: text }];
  const scored: RunEventBody = {
    type: 'action_finished',
    effectId: 'e2',
    movement: 'compute_score',
    outcome: 'done',
    message: '',
    data: { score: { value: 41, band: 'Medium', feedback, checks } },
  };
  const failed: RunEventBody = { type: 'ended', status: 'failed', reason: 'piece_aborted', message: text, by: null };
  const asked: RunEventBody = { ...base, type: 'paused', kind: 'question', questions: questionsOf(text) };
  const gate: RunEventBody = { ...base, type: 'paused', kind: 'context_gate', missing: [inBlock(text, 500), 'More.'] };
  return [
    ...said(`${item.iid}-question`, [started, asked]),
    ...said(`${item.iid}-gate`, [started, gate]).filter(isNoStatus),
    ...said(`${item.iid}-plan`, [started, published, scored]).filter(isNoStatus),
    ...said(`${item.iid}-end`, [started, failed]),
  ];
}

function isNoStatus({ kind }: OutboxRow): boolean {
  return kind !== 'status';
}

/** The row of a plan that stands in the item's description. */
export function descriptionRowsOf(item: ItemRef, text: string): OutboxRow[] {
  return said(
    `${item.iid}-described`,
    [
      {
        type: 'run_started',
        goal: 'Plan it',
        startedBy: STARTER,
        item,
        interactive: true,
        reportDir: 'r',
        carried: [],
      },
      {
        type: 'action_finished',
        effectId: 'e1',
        movement: 'write',
        outcome: 'done',
        message: '',
        data: { workplan: planOf(text), scoring: false },
      },
    ],
    { planTarget: 'description' },
  ).filter((row) => row.kind === 'plan');
}

function said(runId: string, events: RunEventBody[], change: Partial<RunSettings> = {}): OutboxRow[] {
  const state = initialState(runId);
  for (const body of events)
    apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
  const rows = announce(state, events, { ...SETTINGS, ...change }).outbox;
  // Which label shows where a plan stands is the service's own doing, and tested elsewhere.
  return rows.map(({ label: _label, ...row }) => row);
}
