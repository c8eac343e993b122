import type { Project } from './model.ts';

/** What stands before the last `::` of a scoped label's name; null for a plain one. */
export function scopeOf(name: string): string | null {
  const cut = name.lastIndexOf('::');
  return cut > 0 && cut + 2 < name.length ? name.slice(0, cut).toLowerCase() : null;
}

/** The names without those whose scope a later one of `names` has too: the last of a scope stays. */
export function lastOfEachScope(names: readonly string[]): string[] {
  return names.filter((name, index) => {
    const scope = scopeOf(name);
    return scope === null || !names.slice(index + 1).some((later) => scopeOf(later) === scope);
  });
}

/** Gives a label another name, on the items that carry it too. */
export function renameLabel(project: Project, from: string, to: string): void {
  for (const issue of project.issues) {
    issue.labels = issue.labels.map((name) => (name === from ? to : name)).toSorted();
  }
  for (const label of project.labels) if (label.name === from) label.name = to;
}

/** Deletes a label, from the items that carry it too; their label events stay and name no label any more. */
export function deleteLabel(project: Project, name: string): void {
  for (const issue of project.issues) issue.labels = issue.labels.filter((known) => known !== name);
  project.labels = project.labels.filter((label) => label.name !== name);
}
