/** Files of the repository without their secrets. The whole file is looked at, because lines in the middle of a key do not say what they are. */
import { redactSecrets } from '../../domain/text/secrets.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';

/** By path the lines without secrets, null where there are none to take out. */
type Looked = Map<string, string[] | null>;

const MOST_FILES = 5000;
const snapshots = new WeakMap<RepositorySnapshot, Looked>();

/** The file's lines when there was something to take out; null: it can be shown as it is, or is no text. */
export function redactedLines(repository: RepositorySnapshot, path: string): string[] | null {
  const looked: Looked = snapshots.get(repository) ?? new Map();
  snapshots.set(repository, looked);
  const known = looked.get(path);
  if (known !== undefined) return known;
  const text = repository.read(path, 1, Number.MAX_SAFE_INTEGER)?.text ?? '';
  const redacted = redactSecrets(text, { path });
  const lines = redacted === text ? null : redacted.split('\n');
  if (looked.size >= MOST_FILES) looked.clear();
  looked.set(path, lines);
  return lines;
}

/** Lines as a search shows them, `N: text`; what is not written so is looked at by itself. */
export function redactExcerpt(repository: RepositorySnapshot, path: string, excerpt: string): string {
  const lines = redactedLines(repository, path);
  if (lines === null) return excerpt;
  return excerpt
    .split('\n')
    .map((line) => {
      const [start, number] = /^\W{0,4}(\d{1,7}): /.exec(line) ?? [];
      const own = number === undefined ? undefined : lines[Number(number) - 1];
      // A long line is cut to its best part there: one that is unchanged stays as it was cut.
      if (start === undefined || own === undefined) return redactSecrets(line, { path });
      return own === (repository.read(path, Number(number), Number(number))?.text ?? '') ? line : `${start}${own}`;
    })
    .join('\n');
}

/**
 * Hits on lines, with the lines as they may be shown. A line that held a secret is found by what is left of it alone, else a pattern could
 * be used to guess it; an expression is not tried on it again.
 */
export function withoutSecretHits<H extends { path: string; line: number; text: string }>(
  repository: RepositorySnapshot,
  hits: readonly H[],
  stillFits: (text: string) => boolean,
): H[] {
  return hits.flatMap((hit) => {
    const shown = redactedLines(repository, hit.path)?.[hit.line - 1];
    const text = repository.read(hit.path, hit.line, hit.line)?.text ?? '';
    if (shown === undefined || shown === text) return [hit];
    return stillFits(shown) ? [{ ...hit, text: shown.trim() }] : [];
  });
}
