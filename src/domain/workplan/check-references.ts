/** Checks of what a Workplan says of itself: ids, sources, coverage and what its units name. Problems name place and remedy. */
import { duplicates, findCycle } from './graph.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { Unit, Workplan } from './schema.ts';

/** `description`, `description#L12`, `title`, `note_34`, `answer:ID`, or another item's or merge request's reference. */
const SOURCE = /^(?:title|description(?:#L\d{1,7}(?:-L?\d{1,7})?)?|note_\d{1,18}|[\w./-]*[#!&]\d{1,18})$/;
const ANSWER = 'answer:';

export function uniqueIds(plan: Workplan): string[] {
  return (['requirements', 'units'] as const).flatMap((list) => {
    const ids = plan[list].map(({ id }) => id);
    const twice = duplicates(ids);
    const alike = [...new Set(ids)].filter((id, index, all) =>
      all.some((other, place) => place < index && other.toLowerCase() === id.toLowerCase()),
    );
    return [
      ...twice.map((id) => `${list}: the id ${id} is given more than once; give each its own.`),
      ...alike.map((id) => `${list}: the id ${id} differs from another one in upper and lower case only; rename it.`),
    ];
  });
}

export function oddSources(plan: Workplan): string[] {
  return plan.requirements.flatMap(({ id, source }) =>
    SOURCE.test(source) || source.startsWith(ANSWER)
      ? []
      : [
          `requirement ${id}, source: expected description, description#L12, note_34 or answer:QUESTION_ID, got "${source}"; say where it is asked for.`,
        ],
  );
}

export function unansweredSources(plan: Workplan, facts: PlanFacts): string[] {
  return plan.requirements.flatMap(({ id, source }) => {
    const question = source.startsWith(ANSWER) ? source.slice(ANSWER.length) : null;
    if (question === null || facts.answered.has(question)) return [];
    const why = facts.asked.has(question) ? 'nobody eligible answered it' : 'no such question was asked';
    return [
      `requirement ${id}, source: it names the answer to ${question}, but ${why}; name where it is asked for, or make it a decision that is not confirmed.`,
    ];
  });
}

export function uncovered(plan: Workplan): string[] {
  const covered = new Set(plan.units.flatMap((unit) => unit.covers));
  return plan.requirements
    .filter((requirement) => !covered.has(requirement.id))
    .map(
      ({ id }) =>
        `requirement ${id}: no unit covers it; add it to the covers of the unit that meets it, or add a unit.`,
    );
}

export function unknownReferences(plan: Workplan): string[] {
  const requirements = new Set(plan.requirements.map(({ id }) => id));
  const units = new Set(plan.units.map(({ id }) => id));
  const problems: string[] = [];
  for (const unit of plan.units) {
    for (const id of unit.covers)
      if (!requirements.has(id))
        problems.push(`unit ${unit.id}, covers: there is no requirement ${id}; name an existing one or remove it.`);
    for (const field of ['dependsOn', 'parallelWith'] as const)
      for (const id of unit[field])
        if (!units.has(id))
          problems.push(`unit ${unit.id}, ${field}: there is no unit ${id}; name an existing one or remove it.`);
  }
  return problems;
}

/** A unit that fulfils no requirement has to be needed by one that does. `reach`: the units that each unit waits for. */
export function untraced(plan: Workplan, reach: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const useful = plan.units.filter(({ covers }) => covers.length > 0);
  return plan.units
    .filter(({ covers }) => covers.length === 0)
    .filter(({ id }) => !useful.some((other) => reach.get(other.id)?.has(id)))
    .map(
      ({ id }) =>
        `unit ${id}, covers: it covers no requirement and no unit that does depends on it; name what it covers, let a unit depend on it, or remove it.`,
    );
}

export function cycle(plan: Workplan): string[] {
  const itself = plan.units.filter(({ id, dependsOn }) => dependsOn.includes(id));
  const found = findCycle(
    new Map(plan.units.map(({ id, dependsOn }) => [id, dependsOn.filter((other) => other !== id)])),
  );
  return [
    ...itself.map(({ id }) => `unit ${id}, dependsOn: it names itself; remove that.`),
    ...(found
      ? [`unit ${found[0]}, dependsOn: ${found.join(' → ')} is a cycle; remove one of these dependencies.`]
      : []),
  ];
}

/** Files that a unit of a size may touch; more is another size, or more than one unit. */
export const MOST_FILES: Readonly<Record<Unit['size'], number>> = { S: 6, M: 15, L: 30 };

export function wrongSizes(plan: Workplan): string[] {
  return plan.units.flatMap(({ id, size, files }) => {
    const count = new Set(files.map(({ path }) => path)).size;
    if (count <= MOST_FILES[size]) return [];
    const fits = (['M', 'L'] as const).find((other) => count <= MOST_FILES[other]);
    const remedy = fits === undefined ? 'split it into several units' : `call it ${fits}, or split it`;
    return [`unit ${id}, size: ${size} is said of ${count} files, at most ${MOST_FILES[size]} are; ${remedy}.`];
  });
}

export function unverifiable(plan: Workplan): string[] {
  return plan.units.flatMap(({ id, acceptance, verify }) => [
    ...(acceptance.length > 0
      ? []
      : [`unit ${id}, acceptance: it is empty; say what one can observe when the unit is done.`]),
    ...(verify.length > 0
      ? []
      : [`unit ${id}, verify: it is empty; name the commands, tests or steps of this repository that show it.`]),
  ]);
}
