import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whenRule } from '../../../../src/domain/piece/rules.ts';
import type { Piece } from '../../../../src/domain/piece/types.ts';
import { decide } from '../../../../src/domain/run/decide.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import { fold } from '../../../../src/domain/run/fold.ts';
import { readVariables } from '../../../../src/domain/run/variables.ts';
import { RUN, simulate } from './driver.ts';
import { pieces, worldOf } from './pieces.ts';

const runs = fc.record({ piece: pieces, seed: fc.integer({ min: 0 }), interactive: fc.boolean() });
const settings = { numRuns: 400 };

/** Gates count no iteration: people who continue for ever at a circle of gates keep a run going for ever. */
function canTurnForEver(piece: Piece): boolean {
  const gates = new Set(piece.movements.flatMap((movement) => (movement.kind === 'gate' ? [movement.name] : [])));
  return piece.movements.some(
    (movement) => movement.kind === 'gate' && movement.rules.some((rule) => gates.has(rule.next)),
  );
}

const bounded = runs.filter(({ piece, interactive }) => !interactive || !canTurnForEver(piece));

test('every run of every piece comes to an end, and nothing follows it (D4, D5)', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { log } = simulate({ piece, interactive, ...worldOf(seed) });

      expect(log.at(-1)?.type).toBe('ended');
      expect(log.filter((event) => event.type === 'ended')).toHaveLength(1);
      expect(decide(piece, fold(RUN, log))).toEqual({ kind: 'end' });
    }),
    settings,
  );
});

test('never more movements and loop judges than max_iterations, numbered without a gap (D4)', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { log } = simulate({ piece, interactive, ...worldOf(seed) });

      const iterations = log.flatMap((event) =>
        event.type === 'movement_started' || event.type === 'loop_started' ? [event.iteration] : [],
      );
      expect(iterations.length).toBeLessThanOrEqual(piece.maxIterations);
      expect(iterations).toEqual(iterations.map((_iteration, index) => index + 1));
    }),
    settings,
  );
});

test('decide is a function of piece and events alone and changes nothing (D1)', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { log } = simulate({ piece, interactive, ...worldOf(seed) });
      const stored = JSON.parse(JSON.stringify(log)) as typeof log;

      for (let length = 1; length <= log.length; length += 1) {
        const state = fold(RUN, log.slice(0, length));
        const before = structuredClone(state);
        const decision = decide(piece, state);
        expect(state).toEqual(before);
        expect(decide(piece, fold(RUN, stored.slice(0, length)))).toEqual(decision);
      }
    }),
    { numRuns: 100 },
  );
});

test('an effect has one id, and no two effects share one (D2)', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { performed } = simulate({ piece, interactive, ...worldOf(seed) });

      expect(new Set(performed).size).toBe(performed.length);
      expect(performed.every((id) => id.startsWith(`${RUN}/`))).toBe(true);
    }),
    settings,
  );
});

test('what is in flight stays among the open effects until it ends (D2)', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const world = worldOf(seed);
      const inFlight = new Set<string>();
      simulate({
        piece,
        interactive,
        ...world,
        first: (effects) => {
          const ids = effects.map((effect) => effect.id);
          expect([...inFlight].filter((id) => !ids.includes(id))).toEqual([]);
          const ended = world.first(effects);
          for (const id of ids) inFlight.add(id);
          inFlight.delete(ended.id);
          return ended;
        },
      });

      expect([...inFlight]).toEqual([]);
    }),
    settings,
  );
});

test('a run that is taken up again after a crash ends with the same events, wherever it broke off', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const world = worldOf(seed);
      const whole = simulate({ piece, interactive, ...world });

      for (const cut of whole.cuts)
        expect(simulate({ piece, interactive, ...world, log: whole.log.slice(0, cut) }).log).toEqual(whole.log);
    }),
    { numRuns: 100 },
  );
});

test('the order in which parallel effects end changes neither the results nor where the run goes', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const world = worldOf(seed);
      const path = (first: NonNullable<Parameters<typeof simulate>[0]['first']>) =>
        simulate({ piece, interactive, ...world, first }).log.flatMap((event) =>
          event.type === 'movement_completed' || event.type === 'loop_judged' || event.type === 'ended'
            ? [{ ...event, seq: 0, at: '' }]
            : [],
        );

      expect(path((effects) => effects.at(-1) as Effect)).toEqual(path((effects) => effects[0] as Effect));
    }),
    settings,
  );
});

test('variables, inputs and versions of reports follow from the log alone, wherever it is cut', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { log, state } = simulate({ piece, interactive, ...worldOf(seed) });

      expect(fold(RUN, JSON.parse(JSON.stringify(log)))).toEqual(state);
      for (const [name, value] of Object.entries(state.variables))
        expect(name === 'v' ? ['x', 'y', 'z'] : [0, 1, 2, 3]).toContain(value);
    }),
    { numRuns: 100 },
  );
});

test('a rule by `when` wins over every other that exists, and costs no judge', () => {
  fc.assert(
    fc.property(bounded, ({ piece, seed, interactive }) => {
      const { log } = simulate({ piece, interactive, ...worldOf(seed) });

      for (const [at, event] of log.entries()) {
        if (event.type !== 'movement_completed' || event.method === 'on_failure') continue;
        const movement = piece.movements.find((candidate) => candidate.name === event.movement);
        const state = fold(RUN, log.slice(0, at));
        const when = movement && whenRule(movement.rules, interactive, readVariables(state, null));
        expect(event.method === 'when' || !when).toBe(true);
        if (when) expect(event.rule).toBe(when.index);
      }
    }),
    settings,
  );
});
