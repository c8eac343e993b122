/** Paths within a repository, as git writes them. */

/** The one way to write a path: no `./`, no leading, doubled or trailing slash, `..` resolved as far as it goes. */
export function canonicalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** Does the canonical path lead out of the repository, or to nothing in it? Git's own folder and addresses are no files of it. */
export function leadsOutside(canonical: string): boolean {
  const [first = ''] = canonical.split('/');
  return canonical === '' || first === '..' || first.toLowerCase() === '.git' || /^(?:[A-Za-z][\w+.-]*:|~)/.test(first);
}

/** What two spellings of one path share on systems that do not tell upper from lower case, or one form of an accent from the other. */
export function foldedPath(path: string): string {
  return canonicalPath(path).normalize('NFC').toLowerCase();
}

/** Is one of two folded paths the other, or a folder above it? */
export function overlap(a: string, b: string): boolean {
  return a === b || b.startsWith(`${a}/`) || a.startsWith(`${b}/`);
}

/** A permalink to lines of a file at a commit. */
export function permalink(
  projectUrl: string,
  commit: string,
  place: { path: string; startLine: number; endLine: number },
): string {
  const path = place.path.split('/').map(encodeURIComponent).join('/');
  const lines = place.endLine > place.startLine ? `L${place.startLine}-${place.endLine}` : `L${place.startLine}`;
  return `${projectUrl}/-/blob/${commit}/${path}#${lines}`;
}
