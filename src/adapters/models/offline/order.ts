/** The order of units: what uses another's work comes after it, what touches the same file is never said to be parallel. */
import type { Area } from './code-facts.ts';
import type { Asked } from './requirements.ts';
import type { Target } from './targets.ts';
import { shared } from './text.ts';

export interface Sketch {
  area: Area;
  covers: Asked[];
  files: Target[];
}

const RANK: Record<Area, number> = { data: 0, config: 0, logic: 1, api: 2, ui: 3, test: 4, docs: 5 };

export function rankOf(area: Area): number {
  return RANK[area];
}

function sharesFile(a: Sketch, b: Sketch): boolean {
  return a.files.some((file) => b.files.some((other) => other.path === file.path));
}

function related(a: Sketch, b: Sketch): boolean {
  const words = new Set(a.covers.flatMap((one) => [...one.stems]));
  const others = new Set(b.covers.flatMap((one) => [...one.stems]));
  return shared(words, others).length >= 2 || a.covers.some((one) => b.covers.includes(one));
}

/** For each unit (sorted by rank) the indexes it depends on, without those implied, and those it can run beside. */
export function orderUnits(units: Sketch[]): { dependsOn: number[][]; parallelWith: number[][] } {
  const reach: Set<number>[] = units.map(() => new Set<number>());
  const dependsOn = units.map((unit, j) => {
    const wanted: number[] = [];
    for (let i = 0; i < j; i++) {
      const earlier = units[i] as Sketch;
      const lower = rankOf(earlier.area) < rankOf(unit.area);
      if (
        sharesFile(earlier, unit) ||
        (lower && (unit.area === 'docs' || unit.area === 'test' || related(earlier, unit)))
      )
        wanted.push(i);
    }
    // Nothing in common, but a later layer: it still stands on the nearest lower one.
    if (wanted.length === 0 && rankOf(unit.area) > 0) {
      const below = units.slice(0, j).findLastIndex((earlier) => rankOf(earlier.area) < rankOf(unit.area));
      if (below >= 0) wanted.push(below);
    }
    const own = reach[j] as Set<number>;
    for (const i of wanted) {
      own.add(i);
      for (const further of reach[i] ?? []) own.add(further);
    }
    return wanted.filter((i) => !wanted.some((other) => other !== i && reach[other]?.has(i)));
  });
  const parallelWith = units.map((unit, i) =>
    units.flatMap((other, j) =>
      i !== j && !reach[i]?.has(j) && !reach[j]?.has(i) && !sharesFile(unit, other) ? [j] : [],
    ),
  );
  return { dependsOn, parallelWith };
}
