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

/** Does the canonical path lead out of the repository, or to nothing in it? */
export function leadsOutside(canonical: string): boolean {
  return canonical === '' || canonical.split('/')[0] === '..';
}
