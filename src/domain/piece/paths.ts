/** File names in pieces (spec 1: File): report names stay in the report folder, paths of strict pieces in their repository. */

/** Why a report's file name cannot be used; null when it can. */
export function reportNameProblem(name: string): string | null {
  if (/[/\\]/.test(name) || name === '.' || name === '..')
    return 'it would leave the report folder; give a plain file name without folders';
  if (/^[A-Za-z]:/.test(name)) return 'it begins with a drive letter; give a plain file name';
  if (hasControl(name)) return 'it holds a control character; give a plain file name';
  return name.length > 200 ? 'it is longer than 200 characters' : null;
}

/**
 * Why a file path cannot be used; null when it can. `strict` for pieces that come from a repository: the path, relative to
 * the piece's file, must stay inside it, and `~` is refused.
 */
export function filePathProblem(path: string, pieceFile: string, strict: boolean): string | null {
  if (hasControl(path)) return 'it holds a control character';
  if (!strict) return null;
  if (path.startsWith('~')) return '`~` cannot be used in a piece that comes from a repository';
  if (path.includes('\\') || /^[A-Za-z]:/.test(path) || path.startsWith('/'))
    return 'it must be relative to the piece file, with `/`';
  const depth = [...folders(pieceFile), ...path.split('/')].reduce((level, part) => {
    if (level < 0 || part === '' || part === '.') return level;
    return part === '..' ? level - 1 : level + 1;
  }, 0);
  return depth < 0 ? 'it leaves the repository' : null;
}

/** Is the text of a report's `format` the path of a file rather than the format itself? */
export function isFormatPath(format: string): boolean {
  const text = format.trim();
  return text.length <= 1000 && !/[\r\n{}#]/.test(text) && /\.(?:md|markdown|txt)$/i.test(text);
}

/** A path's last part without its extension. */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.[^.]{1,10}$/, '') || name;
}

function folders(file: string): string[] {
  return file
    .replaceAll('\\', '/')
    .split('/')
    .slice(0, -1)
    .filter((part) => part !== '' && part !== '.');
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === 127) return true;
  }
  return false;
}
