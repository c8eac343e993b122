/** Checks of a Workplan's units against the files at the run's commit. Each answer is a list of problems that name place and remedy. */
import { canonicalPath, foldedPath, leadsOutside } from './paths.ts';
import type { OtherEntry, PlanFacts } from './plan-facts.ts';
import type { Unit, Workplan } from './schema.ts';

/** Written in another way, a path would pass for a new file though the repository has it. */
export function oddPaths(plan: Workplan): string[] {
  const places = [
    ...plan.findings.map(({ path }, index) => ({ path, place: `findings[${index}], path` })),
    ...plan.units.flatMap((unit) => unit.files.map(({ path }) => ({ path, place: `unit ${unit.id}, files` }))),
  ];
  return places.flatMap(({ path, place }) => {
    const canonical = canonicalPath(path);
    if (leadsOutside(canonical))
      return [`${place}: ${path} is no path inside the repository; name one relative to its root.`];
    return canonical === path ? [] : [`${place}: ${path} is written oddly; write ${canonical}.`];
  });
}

/** `reach`: the units that each unit waits for. */
export function missingFiles(
  plan: Workplan,
  facts: PlanFacts,
  reach: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const creators = new Map<string, string[]>();
  for (const unit of plan.units)
    for (const file of unit.files)
      if (file.state === 'new') {
        const path = canonicalPath(file.path);
        creators.set(path, [...(creators.get(path) ?? []), unit.id]);
      }
  return plan.units.flatMap((unit) =>
    unit.files
      .filter((file) => file.state === 'existing' && !exists(file.path, facts))
      .flatMap(({ path }) => {
        const makers = creators.get(canonicalPath(path)) ?? [];
        if (makers.some((id) => reach.get(unit.id)?.has(id))) return [];
        return [
          `unit ${unit.id}, files: ${path} is called existing, but there is no such file at the run's commit; ${remedy(path, makers, facts)}.`,
        ];
      }),
  );
}

function remedy(path: string, makers: string[], facts: PlanFacts): string {
  const spelled = facts.spelled?.(path) ?? null;
  if (spelled !== null) return `write ${spelled}`;
  return makers[0] === undefined ? 'correct the path, or call it new' : `${makers[0]} makes it, so depend on that unit`;
}

/** A link or a file beyond the snapshot's limits can be changed, though it cannot be read here. */
function exists(path: string, facts: PlanFacts): boolean {
  const other = facts.otherAt?.(path);
  return facts.fileLines(path) !== null || other === 'link' || other === 'unlisted';
}

const OTHERS: Record<OtherEntry, string> = {
  link: "there is a link of that name at the run's commit; call it existing, or choose another path.",
  unlisted: "it exists at the run's commit; call it existing, or choose another path.",
  folder: "there is a folder of that name at the run's commit; name a file in it.",
  below_file: "what it says is its folder is a file at the run's commit; choose another path.",
};

export function existingNewFiles(plan: Workplan, facts: PlanFacts): string[] {
  const made = plan.units.flatMap((unit) => unit.files.filter(({ state }) => state === 'new'));
  return plan.units.flatMap((unit) =>
    unit.files.flatMap((file) => {
      if (file.state !== 'new') return [];
      const problem = standing(file.path, unit, facts) ?? below(file.path, made);
      return problem === null ? [] : [`unit ${unit.id}, files: ${file.path} is called new, but ${problem}`];
    }),
  );
}

/** Why no new file can be made at the path as the repository stands; null: it can. */
function standing(path: string, unit: Unit, facts: PlanFacts): string | null {
  const other = facts.fileLines(path) !== null ? 'unlisted' : (facts.otherAt?.(path) ?? null);
  if (other !== null) return OTHERS[other];
  const spelled = facts.spelled?.(path) ?? null;
  // A rename to another case names both.
  if (spelled === null || unit.files.some((file) => file.path === spelled && file.state === 'existing')) return null;
  return `the repository spells it ${spelled}; write it so, or choose a name that differs in more than case.`;
}

/** Another new file cannot stand where this one needs a folder. */
function below(path: string, made: readonly { path: string }[]): string | null {
  const folded = foldedPath(path);
  const above = made.find((other) => folded.startsWith(`${foldedPath(other.path)}/`));
  return above === undefined
    ? null
    : `${above.path}, which is called new too, would be its folder; choose other paths.`;
}
