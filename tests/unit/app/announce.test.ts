import { expect, test } from 'vitest';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import { hasMarker } from '../../../src/domain/text/marker.ts';
import { personOf } from './setup.ts';

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
