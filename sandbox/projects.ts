import type { Project } from './model.ts';
import type { SandboxState } from './state.ts';

/** Gives a project another full path; the old one is remembered, and the groups above it are those of the new one. Throws when taken. */
export function renameProject(state: SandboxState, project: Project, path: string): void {
  if (path === project.path) return;
  if (!/^[^\s/]+(\/[^\s/]+)+$/.test(path)) throw new Error(`"${path}" is no project path: expected namespace/project`);
  if (state.projects.some((known) => known.path === path)) throw new Error(`${path} has already been taken`);
  project.formerPaths = [...project.formerPaths.filter((known) => known !== path), project.path];
  // Who takes a path over takes its redirect away.
  for (const other of state.projects) {
    if (other !== project) other.formerPaths = other.formerPaths.filter((known) => known !== path);
  }
  project.path = path;
  project.groups = state.groupsAbove(path);
}
