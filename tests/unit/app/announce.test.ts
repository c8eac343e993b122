import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/app/announce.ts';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import { hasMarker } from '../../../src/domain/text/marker.ts';
import { announced, ended, kinds, paused, published, scored, started } from './announce-desk.ts';
import { personOf } from './setup.ts';

describe('generationStatus', () => {
  test.each([
    [[started], 'GENERATING'],
    [[started, paused('question', 1)], 'NEEDS_INPUT'],
    [[started, ended('completed')], 'COMPLETED'],
    [[started, ended('failed', 'deadline')], 'FAILED'],
    [[started, ended('canceled', 'item_closed')], 'CANCELED'],
  ])('%#', (events, expected) => {
    expect(statusOf(announced(events, []).state)).toBe(expected);
  });
});

describe('what people see of a change', () => {
  test('nothing of events that nobody sees', () => {
    const warning: RunEventBody = { type: 'warning', code: 'loop', message: 'x', movement: null };

    expect(announced([started], [warning])).toMatchObject({ row: {}, outbox: [] });
  });

  test('a movement that follows at once shows in the row and spares the status note an edit', () => {
    const moved: RunEventBody = {
      type: 'movement_started',
      movement: 'plan',
      iteration: 2,
      movementIteration: 1,
      subs: [],
    };

    const quick = announced([started], [moved], {}, 2999);
    const slow = announced([started], [moved], {}, 3000);

    expect(quick.row).toMatchObject({ progress: { movement: 'plan' } });
    expect([kinds(quick.outbox), kinds(slow.outbox)]).toEqual([[], ['status']]);
  });

  test('a status that changes at once is told all the same', () => {
    expect(kinds(announced([started], [paused('context_gate', 0)], {}, 0).outbox)).toEqual(['gate', 'status']);
  });

  test('every row ends with its marker, by which it is found again', () => {
    const { outbox } = announced([started], [published(true), paused('question', 2)]);

    expect(outbox.length).toBeGreaterThan(3);
    for (const row of outbox) expect(hasMarker(row.body, row.marker)).toBe(true);
    expect(new Set(outbox.map((row) => row.marker)).size).toBe(outbox.length);
  });

  test('each question is a discussion of its own; of several the first mentions the starter', () => {
    const { outbox, row } = announced([started], [paused('question', 2)]);
    const questions = outbox.filter((one) => one.kind === 'question');

    expect(questions.map((one) => [one.questionId, one.discussion, one.pauseId])).toEqual([
      ['q1', true, 'p1'],
      ['q2', true, 'p1'],
    ]);
    expect(questions.map((one) => one.body.includes('@alice'))).toEqual([true, false]);
    expect(row).toMatchObject({ status: 'NEEDS_INPUT', pause: { id: 'p1', kind: 'question' } });
  });

  test('a question carries its payload hidden, or as a fence', () => {
    const body = (questionFormat: 'hidden' | 'duo') =>
      announced([started], [paused('question', 1)], { questionFormat }).outbox[0]?.body ?? '';

    expect(body('hidden')).toContain('<!-- duo-question');
    expect(body('duo')).toContain('```json:duo-question');
  });

  test.each([
    ['context_gate', 'gate'],
    ['approval', 'approval'],
  ] as const)('%s is one note that mentions the starter, without payload', (kind, expected) => {
    const { outbox } = announced([started], [paused(kind, 0, kind === 'context_gate' ? ['Who may export?'] : [])]);
    const [gate] = outbox;

    expect(kinds(outbox)).toEqual([expected, 'status']);
    expect(gate?.body).toContain('@alice');
    expect(gate?.body).not.toContain('duo-question');
    if (kind === 'context_gate') expect(gate?.body).toContain('Who may export?');
  });

  test('the plan is written when it is published and again with its score, under one marker', () => {
    const first = announced([started], [published(true)]).outbox;
    const second = announced([started, published(true)], [scored, ended('completed')]).outbox;

    expect(kinds(first)).toEqual(['plan', 'status']);
    expect(kinds(second)).toEqual(['plan', 'status']);
    expect(second[0]?.marker).toBe(first[0]?.marker);
    expect(second[0]?.body).toContain('88');
  });

  test.each([
    ['completed', null],
    ['canceled', 'canceled'],
  ] as const)('a plan whose scoring ended without a score (%s) says so', (status, reason) => {
    const { outbox, row } = announced([started, published(true)], [ended(status, reason)]);

    expect(kinds(outbox)).toContain('plan');
    expect(row.scoreStatus).toBe(status === 'canceled' ? 'CANCELED' : 'FAILED');
  });

  test('a failure has a note of its own, with its reason, that mentions the starter', () => {
    const { outbox, row } = announced([started], [ended('failed', 'max_iterations')]);
    const [end] = outbox;

    expect(kinds(outbox)).toEqual(['end', 'status']);
    expect(end?.body).toContain('max_iterations');
    expect(end?.body).toContain('It was too much.');
    expect(end?.body).toContain('@alice');
    expect(row).toMatchObject({ status: 'FAILED', reason: 'max_iterations', pause: null });
  });

  test('a cancel is told by the status note, which always goes out', () => {
    const { outbox } = announced([started], [ended('canceled', 'canceled')]);

    expect(kinds(outbox)).toEqual(['cancel']);
  });

  test('a run without an item has a row and no notes', () => {
    const { outbox, row } = announced([], [{ ...started, item: null } as RunEventBody]);

    expect(outbox).toEqual([]);
    expect(row.status).toBe('GENERATING');
  });

  test('what may show code carries what is posted where it must not, with its marker and the address of the status', () => {
    const { outbox } = announced([started], [published(true), paused('question', 1), ended('failed', 'deadline')], {
      publicUrl: 'https://plans.example',
    });
    const kept = outbox.filter((one) => one.kept);

    expect(kinds(kept)).toEqual(['question', 'plan', 'end']);
    for (const { kept: body = '', marker: own } of kept) {
      expect(hasMarker(body ?? '', own)).toBe(true);
      expect(body).toContain('https://plans.example/api/v1/projects/1/issues/1/workplan');
      expect(body).not.toContain('Question q1?');
      expect(body).not.toContain('Limit the rows');
      expect(body).not.toContain('It was too much.');
    }
  });

  test('what a gate misses may show code, an approval is asked for in fixed words', () => {
    const [gate] = announced([started], [paused('context_gate', 0, ['Who may export?'])]).outbox;
    const [approval] = announced([started], [paused('approval')]).outbox;

    expect(gate?.kept).not.toContain('Who may export?');
    expect([typeof gate?.kept, approval?.kept]).toEqual(['string', null]);
  });

  test('the status counts the open questions of the pause that stands', () => {
    const first = paused('question', 3);
    const resumed: RunEventBody = {
      type: 'resumed',
      pauseId: 'p1',
      by: personOf('alice'),
      via: 'api',
      decision: 'continue',
      reason: '',
    };
    const read: RunEventBody = {
      type: 'replies_read',
      effectId: 'r',
      pauseId: 'p1',
      answers: [],
      inputs: [],
      assume: true,
    };
    const second = { ...paused('question', 1), pauseId: 'p2' } as RunEventBody;

    const { outbox } = announced([started, first, resumed, read], [second]);

    expect(outbox.at(-1)?.body).toContain('Open questions: 1');
  });
});

test('of a next movement only the progress is told, the view stays', () => {
  const moved: RunEventBody = {
    type: 'movement_started',
    movement: 'plan',
    iteration: 2,
    movementIteration: 1,
    subs: [],
  };

  const { row } = announced([started], [moved], {}, 0);

  expect(row).toMatchObject({ progress: { movement: 'plan', iteration: 2 } });
  expect(row).not.toHaveProperty('view');
});
