import { objectId, type TreeEntry } from './git.ts';
import type { Commit, Project } from './model.ts';

/** The commit a branch name, `HEAD` or a (short) commit id stands for. */
export function resolveRef(project: Project, ref: string): Commit | null {
  const name = ref === 'HEAD' || ref === '' ? project.defaultBranch : ref.replace(/^refs\/heads\//, '');
  const id = project.branches.get(name) ?? name;
  const exact = project.commits.get(id);
  if (exact) return exact;
  if (!/^[0-9a-f]{7,39}$/.test(id)) return null;
  const hits = [...project.commits.values()].filter((commit) => commit.id.startsWith(id));
  return hits.length === 1 ? (hits[0] ?? null) : null;
}

/** A commit and those before it, newest first. */
export function historyOf(project: Project, start: Commit): Commit[] {
  const history: Commit[] = [];
  for (let next: Commit | undefined = start; next; next = project.commits.get(next.parentIds[0] ?? ''))
    history.push(next);
  return history;
}

export function cleanPath(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/** What a path holds at a commit, as one id: differs exactly when something under it changed. */
function contentId(commit: Commit, path: string): string {
  const inside = [...commit.files].filter(([file]) => path === '' || file === path || file.startsWith(`${path}/`));
  return inside
    .map(([file, { bytes, executable }]) => `${file}:${executable}:${objectId('blob', bytes)}`)
    .sort()
    .join('\n');
}

export function touches(project: Project, commit: Commit, path: string): boolean {
  const parent = project.commits.get(commit.parentIds[0] ?? '');
  return contentId(commit, path) !== (parent ? contentId(parent, path) : '');
}

export function listTree(folders: Map<string, TreeEntry[]>, path: string, recursive: boolean): TreeEntry[] {
  const entries = folders.get(path) ?? [];
  if (!recursive) return [...entries.filter((e) => e.type === 'tree'), ...entries.filter((e) => e.type === 'blob')];
  return entries.flatMap((entry) =>
    entry.type === 'tree' ? [entry, ...listTree(folders, entry.path, true)] : [entry],
  );
}
