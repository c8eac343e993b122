/** The facts that a plan's citations and decisions are checked against (spec 2: Checked by code before it is written). */
import type { RunState } from '../domain/run/state.ts';
import { foldedPath } from '../domain/workplan/paths.ts';
import type { PlanFacts } from '../domain/workplan/plan-facts.ts';
import type { RepositorySnapshot } from '../ports/repository.ts';

/** As many files as a snapshot lists at most. */
const ALL_FILES = 200_000;
const spellings = new WeakMap<RepositorySnapshot, Map<string, string>>();

/** What a repository says of paths, lines and spelling; null: there is none. */
export function repositoryFacts(
  snapshot: RepositorySnapshot | null,
): Pick<PlanFacts, 'fileLines' | 'otherAt' | 'spelled' | 'commit'> & Required<Pick<PlanFacts, 'spelled'>> {
  return {
    commit: snapshot?.commit ?? null,
    fileLines(path: string): number | null {
      return snapshot?.file(path)?.lines ?? null;
    },
    otherAt(path) {
      return snapshot?.otherAt(path) ?? null;
    },
    spelled(path) {
      return snapshot ? spelledIn(snapshot, path) : null;
    },
  };
}

/** The facts of a run: its repository and its questions. `projectUrl`: the project's web address where it is known. */
export function planFacts(
  state: RunState,
  snapshot: RepositorySnapshot | null,
  projectUrl: string | null = null,
): PlanFacts {
  const asked = new Set(state.questions.map(({ question }) => question.id));
  const answered = new Set(
    state.questions.filter((known) => known.state === 'answered').map(({ question }) => question.id),
  );
  return { ...repositoryFacts(snapshot), projectUrl, asked, answered };
}

/** The path with its known part as the repository spells it: the file's own, else that of the deepest folder; null: nothing differs. */
function spelledIn(snapshot: RepositorySnapshot, path: string): string | null {
  if (snapshot.file(path) !== null) return null;
  const known = spellingsOf(snapshot);
  const parts = path.split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const start = parts.slice(0, length).join('/');
    const spelled = known.get(foldedPath(start));
    if (spelled === undefined) continue;
    return spelled === start ? null : [spelled, ...parts.slice(length)].join('/');
  }
  return null;
}

/** Files and folders by what is left of their paths without case. */
function spellingsOf(snapshot: RepositorySnapshot): Map<string, string> {
  const made = spellings.get(snapshot);
  if (made) return made;
  const known = new Map<string, string>();
  for (const { path } of snapshot.list({ limit: ALL_FILES }).files) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
      known.set(foldedPath(path.slice(0, end)), path.slice(0, end));
    known.set(foldedPath(path), path);
  }
  spellings.set(snapshot, known);
  return known;
}
