
import type { RunEventBody } from '../../../src/domain/run/events.ts';

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
  ] as const)('a plan whose scoring ended without a score (%s) says so', (_status, _reason) => {
