/** What the checks accept is sound: seen with other eyes than those of the checks, over plans that are nearly right. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkWorkplan, failedChecks } from '../../../../src/domain/workplan/checks.ts';
import type { PlanFacts } from '../../../../src/domain/workplan/plan-facts.ts';
import type { Finding, Unit, Workplan } from '../../../../src/domain/workplan/schema.ts';
import { plan, unit } from './plans.ts';

const FILES: Record<string, number> = { 'a.ts': 1, 'b.ts': 7, 'c/d.ts': 30 };
const FACTS: PlanFacts = {
  fileLines: (path) => (Object.hasOwn(FILES, path) ? (FILES[path] ?? null) : null),
  answered: new Set(),
  asked: new Set(),
};
const UNITS = ['U1', 'U2', 'U3', 'U4', 'U5'];
const REQUIREMENTS = ['R1', 'R2', 'R3'];
const PATHS = [...Object.keys(FILES), 'n.ts', 'N.ts', 'c'];

/** `few` of the pool: mostly what holds, so that many plans are accepted. */
function few(pool: readonly string[], most: number): fc.Arbitrary<string[]> {
  return pool.length === 0 ? fc.constant([]) : fc.uniqueArray(fc.constantFrom(...pool), { maxLength: most });
}

const units = fc
  .tuple(...UNITS.map((id, index) => oneUnit(id, UNITS.slice(0, index))))
  .chain((all) => fc.integer({ min: 1, max: UNITS.length }).map((count) => all.slice(0, count)));

function oneUnit(id: string, before: string[]): fc.Arbitrary<Unit> {
  return fc
    .record({
      dependsOn: fc.oneof({ weight: 9, arbitrary: few(before, 2) }, { weight: 1, arbitrary: few(UNITS, 2) }),
      parallelWith: fc.oneof(
        { weight: 4, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: few(UNITS, 1) },
      ),
      covers: fc.subarray(REQUIREMENTS, { minLength: 1 }),
      files: few(PATHS, 1).chain((paths) =>
        fc.boolean().map((usual) => paths.map((path) => ({ path, state: stateOf(path, usual) }))),
      ),
    })
    .map((changes) => unit(id, changes));
}

function stateOf(path: string, usual: boolean): 'new' | 'existing' {
  return Object.hasOwn(FILES, path) === usual ? 'existing' : 'new';
}

const finding: fc.Arbitrary<Finding> = fc.record({
  text: fc.constant('Here.'),
  path: fc.constantFrom(...Object.keys(FILES), 'none.ts'),
  startLine: fc.integer({ min: 1, max: 4 }),
  endLine: fc.integer({ min: 1, max: 9 }),
});

const plans: fc.Arbitrary<Workplan> = fc
  .record({ units, findings: fc.array(finding, { maxLength: 2 }), count: fc.integer({ min: 1, max: 3 }) })
  .map(({ units, findings, count }) =>
    plan({
      units,
      findings,
      decisions: [],
      requirements: REQUIREMENTS.slice(0, count).map((id) => ({ id, text: 'x', source: 'description' })),
    }),
  );

/** Units in an order in which each comes after all that it depends on; null: there is none. */
function ordered(all: Unit[]): Unit[] | null {
  const done: Unit[] = [];
  let left = [...all];
  while (left.length > 0) {
    const next = left.find(({ dependsOn }) => dependsOn.every((id) => done.some((other) => other.id === id)));
    if (!next) return null;
    done.push(next);
    left = left.filter((other) => other !== next);
  }
  return done;
}

function waitsFor(all: Unit[], from: string, to: string): boolean {
  return (all.find(({ id }) => id === from)?.dependsOn ?? []).some((id) => id === to || waitsFor(all, id, to));
}

test('no accepted plan has a cycle, an uncovered requirement, a citation that does not exist, or files that meet', () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(plans, (candidate) => {
      if (failedChecks(checkWorkplan(candidate, FACTS)).length > 0) {
        refused += 1;
        return;
      }
      accepted += 1;
      const { requirements, findings } = candidate;
      const order = ordered(candidate.units);
      expect(order).not.toBeNull();
      for (const { id } of requirements) expect(candidate.units.some(({ covers }) => covers.includes(id))).toBe(true);
      for (const { path, startLine, endLine } of findings) {
        expect(startLine).toBeLessThanOrEqual(endLine);
        expect(endLine).toBeLessThanOrEqual(FILES[path] ?? 0);
      }
      const made = new Set(Object.keys(FILES));
      for (const { files } of order ?? [])
        for (const { path, state } of files) {
          expect(made.has(path)).toBe(state === 'existing');
          made.add(path);
        }
      for (const one of candidate.units)
        for (const other of one.parallelWith) {
          expect(waitsFor(candidate.units, one.id, other) || waitsFor(candidate.units, other, one.id)).toBe(false);
          const theirs = candidate.units.find(({ id }) => id === other)?.files ?? [];
          for (const { path } of one.files) expect(theirs.map((file) => file.path)).not.toContain(path);
        }
    }),
    { numRuns: 3000, seed: 7 },
  );
  // The property says nothing when nothing is accepted, or everything.
  expect(accepted).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test('whatever the plan, each failed check says where and what to do', () => {
  fc.assert(
    fc.property(plans, (candidate) => {
      for (const { message } of failedChecks(checkWorkplan(candidate, FACTS)))
        expect(message).toMatch(/^(?:unit|requirement|units|requirements|findings|decisions)\b.*[;:] .*\.$/);
    }),
    { numRuns: 500, seed: 11 },
  );
});
