/** Checks of units said to run side by side, and of files that several units make. Problems name place and remedy. */
import { canonicalPath, foldedPath, overlap } from './paths.ts';
import type { Unit, Workplan } from './schema.ts';

type Reach = ReadonlyMap<string, ReadonlySet<string>>;

/** Pairs said to be parallel, each once, in the order of the units. */
function parallelPairs(plan: Workplan): [Unit, Unit][] {
  const byId = new Map(plan.units.map((unit) => [unit.id, unit]));
  const seen = new Set<string>();
  const pairs: [Unit, Unit][] = [];
  for (const unit of plan.units)
    for (const id of unit.parallelWith) {
      const other = byId.get(id);
      const key = JSON.stringify([unit.id, id].sort());
      if (!other || seen.has(key)) continue;
      seen.add(key);
      pairs.push([unit, other]);
    }
  return pairs;
}

/** `reach`: the units that each unit waits for. */
export function dependentPairs(plan: Workplan, reach: Reach): string[] {
  return parallelPairs(plan).flatMap(([a, b]) => {
    if (a.id === b.id) return [`unit ${a.id}, parallelWith: it names itself; remove that.`];
    const waits = reach.get(a.id)?.has(b.id) ? [a, b] : reach.get(b.id)?.has(a.id) ? [b, a] : null;
    if (!waits) return [];
    return [
      `unit ${a.id}, parallelWith: ${waits[0]?.id} depends on ${waits[1]?.id}, so they cannot run beside each other; remove one or the other.`,
    ];
  });
}

/** Also through a folder that one names, through another case, and through the new name of a file that is renamed. */
export function sharedFiles(plan: Workplan): string[] {
  return parallelPairs(plan).flatMap(([a, b]) => {
    if (a.id === b.id) return [];
    const others = a.files.map((file) => foldedPath(file.path));
    const shared = b.files
      .map((file) => canonicalPath(file.path))
      .filter((path) => others.some((other) => overlap(other, foldedPath(path))));
    if (shared.length === 0) return [];
    return [
      `unit ${a.id}, parallelWith: ${a.id} and ${b.id} both touch ${[...new Set(shared)].join(', ')}; let one depend on the other, or split the work by files.`,
    ];
  });
}

/** A file is made once, by one unit; whoever changes it afterwards says `existing` and depends on that unit. */
export function madeTwice(plan: Workplan, reach: Reach): string[] {
  const made = new Map<string, { unit: string; path: string }>();
  const problems: string[] = [];
  for (const unit of plan.units) {
    const own = new Map<string, string>();
    for (const { path, state } of unit.files) {
      const key = foldedPath(path);
      const before = own.get(key);
      own.set(key, path);
      // The new name of a file that is renamed may differ from the old one in case alone.
      if (before !== undefined && canonicalPath(before) === canonicalPath(path)) {
        problems.push(`unit ${unit.id}, files: ${path} is named more than once; name it once.`);
        continue;
      }
      if (state !== 'new') continue;
      const first = made.get(key);
      if (first === undefined) {
        made.set(key, { unit: unit.id, path });
        continue;
      }
      if (first.unit === unit.id)
        problems.push(`unit ${unit.id}, files: ${first.path} and ${path} differ in case only; choose one.`);
      else problems.push(twice(unit.id, path, first, reach));
    }
  }
  return problems;
}

function twice(unit: string, path: string, first: { unit: string; path: string }, reach: Reach): string {
  const of = first.path === path ? '' : ` (there ${first.path})`;
  const later = reach.get(unit)?.has(first.unit) ? unit : reach.get(first.unit)?.has(unit) ? first.unit : null;
  const remedy =
    later === null
      ? `let one unit make it, and let the other call it existing and depend on that unit`
      : `${later} comes later, so call it existing there`;
  return `unit ${unit}, files: ${path} is called new, and ${first.unit} calls it new too${of}; ${remedy}.`;
}
