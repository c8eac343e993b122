/** Checks of a Workplan against the files at the run's commit. Each answer is a list of problems that name place and remedy. */
import { canonicalPath, leadsOutside } from './paths.ts';
import type { OtherEntry, PlanFacts } from './plan-facts.ts';
import type { Workplan } from './schema.ts';

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

export function missingFindings(plan: Workplan, facts: PlanFacts): string[] {
  return plan.findings.flatMap((finding, index) => {
    const place = `findings[${index}]`;
    const lines = facts.fileLines(finding.path);
    if (lines === null)
      return [`${place}, path: there is no file ${finding.path} at the run's commit; cite one that exists.`];
    if (finding.startLine > finding.endLine)
      return [`${place}: startLine ${finding.startLine} is after endLine ${finding.endLine}; swap them.`];
    if (finding.endLine > lines)
      return [`${place}, endLine: ${finding.path} has ${lines} lines, not ${finding.endLine}; cite lines that exist.`];
    return [];
  });
}

/** `reach`: the units that each unit waits for. */
export function missingFiles(plan: Workplan, facts: PlanFacts, reach: Map<string, Set<string>>): string[] {
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
      .filter((file) => !creators.get(canonicalPath(file.path))?.some((id) => reach.get(unit.id)?.has(id)))
      .map(
        ({ path }) =>
          `unit ${unit.id}, files: ${path} is called existing, but there is no such file at the run's commit; correct the path, or call it new.`,
      ),
  );
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
  return plan.units.flatMap((unit) =>
    unit.files.flatMap(({ path, state }) => {
      if (state !== 'new') return [];
      const other = facts.fileLines(path) !== null ? 'unlisted' : (facts.otherAt?.(path) ?? null);
      return other === null ? [] : [`unit ${unit.id}, files: ${path} is called new, but ${OTHERS[other]}`];
    }),
  );
}
