import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { namedFiles } from '../../domain/piece/files.ts';
import type { PieceBundle } from '../../domain/piece/types.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { PieceSource } from '../../ports/piece-source.ts';

/** Bytes of a piece or of a file it names (spec 1: File). */
const maxBytes = 1_048_576;
const extensions = ['.yaml', '.yml'];

/**
 * The operator's pieces: `NAME.yaml` or `NAME.yml` in `folder`. The files that a piece names are read from below the folder's
 * parent (`../agents/planner.md`) and, with `~`, from below `home`; a file that is not there is left out of the bundle, for the
 * loader to report with its place. `load` throws `PermanentFailure`: `piece_unreadable`, `piece_too_large`, `piece_path_outside`.
 */
export function createPieceFolder(folder: string, home: string = homedir()): PieceSource {
  return { load: (name) => loadFromFolder(path.resolve(folder), home, name) };
}

async function loadFromFolder(folder: string, home: string, name: string): Promise<PieceBundle | null> {
  // A name comes from a project's settings: it names a file of the folder and is never a path.
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}\p{M} ._-]{0,99}$/u.test(name)) return null;
  for (const extension of extensions) {
    const file = path.join(folder, `${name}${extension}`);
    const text = await readLimited(file);
    if (text !== null) return bundleOf(name, file, text, { root: path.dirname(folder), home });
  }
  return null;
}

/**
 * A piece file given by a person on the command line, with the files it names wherever they are.
 * @throws PermanentFailure `piece_missing`, `piece_unreadable`, `piece_too_large`.
 */
export async function readPieceFile(file: string, home: string = homedir()): Promise<PieceBundle> {
  const text = await readLimited(path.resolve(file));
  if (text === null) throw new PermanentFailure('piece_missing', `${file}: expected a piece file, there is none`);
  const bundle = await bundleOf(path.parse(file).name, path.resolve(file), text, { root: null, home });
  return { ...bundle, file };
}

interface Bounds {
  /** Relative paths stay below it; null: no bound. */
  root: string | null;
  home: string;
}

async function bundleOf(name: string, file: string, text: string, bounds: Bounds): Promise<PieceBundle> {
  const files: Record<string, string> = {};
  for (const named of namedFiles(text)) {
    const content = await readLimited(resolveNamed(file, named, bounds));
    if (content !== null) files[named] = content;
  }
  return { name, file: path.basename(file), text, files };
}

function resolveNamed(pieceFile: string, named: string, bounds: Bounds): string {
  const inHome = /^~(?:[\\/]|$)/.test(named);
  const target = inHome ? path.join(bounds.home, named.slice(1)) : path.resolve(path.dirname(pieceFile), named);
  const root = inHome ? bounds.home : bounds.root;
  if (root === null || isBelow(root, target)) return target;
  throw new PermanentFailure(
    'piece_path_outside',
    `${path.basename(pieceFile)}: ${named}: expected a path below ${root}; move the file there, or name it with ~`,
  );
}

function isBelow(root: string, target: string): boolean {
  const relative = path.relative(root, target);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** The file's text, null when there is none. */
async function readLimited(file: string): Promise<string | null> {
  // No file system knows such a name.
  if (file.includes('\0')) return null;
  try {
    const { size } = await stat(file);
    if (size > maxBytes)
      throw new PermanentFailure('piece_too_large', `${file}: expected at most ${maxBytes} bytes, got ${size}`);
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof PermanentFailure) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    // A report's format may be a text that is too long for a file's name.
    if (code === 'ENAMETOOLONG') return null;
    throw new PermanentFailure('piece_unreadable', `${file}: cannot be read (${code || String(error)})`);
  }
}
