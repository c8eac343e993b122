import { createHash } from 'node:crypto';
import type { Commit, RepoFile } from './model.ts';

/** One entry of a folder. `mode` is git's, six digits. */
export interface TreeEntry {
  id: string;
  name: string;
  path: string;
  type: 'tree' | 'blob';
  mode: string;
}

/** The id git gives an object: SHA-1 over `<type> <length>\0<content>`. */
export function objectId(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

interface Folder {
  folders: Map<string, Folder>;
  files: Map<string, RepoFile>;
}

function folderOf(files: ReadonlyMap<string, RepoFile>): Folder {
  const root: Folder = { folders: new Map(), files: new Map() };
  for (const [path, file] of files) {
    const parts = path.split('/');
    const name = parts.pop();
    if (!name || parts.some((part) => part === '' || part === '.' || part === '..')) {
      throw new Error(`"${path}" is no path inside a repository: expected folder/file without "." and ".." parts`);
    }
    let folder = root;
    for (const part of parts) {
      let next = folder.folders.get(part);
      if (!next) {
        next = { folders: new Map(), files: new Map() };
        folder.folders.set(part, next);
      }
      folder = next;
    }
    folder.files.set(name, file);
  }
  return root;
}

function writeFolder(folder: Folder, prefix: string, into: Map<string, TreeEntry[]>): string {
  const entries: TreeEntry[] = [];
  for (const [name, child] of folder.folders) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    entries.push({ id: writeFolder(child, path, into), name, path, type: 'tree', mode: '040000' });
  }
  for (const [name, file] of folder.files) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const mode = file.executable ? '100755' : '100644';
    entries.push({ id: objectId('blob', file.bytes), name, path, type: 'blob', mode });
  }
  // git compares bytes, a folder's name as if it ended in a slash.
  const key = (entry: TreeEntry): Buffer => Buffer.from(entry.type === 'tree' ? `${entry.name}/` : entry.name);
  entries.sort((a, b) => Buffer.compare(key(a), key(b)));
  const content = Buffer.concat(
    entries.map((entry) =>
      Buffer.concat([Buffer.from(`${entry.mode.replace(/^0/, '')} ${entry.name}\0`), Buffer.from(entry.id, 'hex')]),
    ),
  );
  into.set(prefix, entries);
  return objectId('tree', content);
}

/** All folders of a set of files by path (`''` is the root), each with its entries in git's order, and the root's id. */
export function writeTrees(files: ReadonlyMap<string, RepoFile>): { id: string; folders: Map<string, TreeEntry[]> } {
  const folders = new Map<string, TreeEntry[]>();
  return { id: writeFolder(folderOf(files), '', folders), folders };
}

/** A commit with the id git would give it. `date` is an ISO string; git keeps whole seconds, written as UTC. */
export function makeCommit(input: {
  files: Map<string, RepoFile>;
  parentIds: string[];
  message: string;
  authorName: string;
  authorEmail: string;
  date: string;
}): Commit {
  const treeId = writeTrees(input.files).id;
  const message = input.message.endsWith('\n') ? input.message : `${input.message}\n`;
  const stamp = `${input.authorName} <${input.authorEmail}> ${Math.floor(Date.parse(input.date) / 1000)} +0000`;
  const lines = [`tree ${treeId}`, ...input.parentIds.map((id) => `parent ${id}`)];
  const content = `${lines.join('\n')}\nauthor ${stamp}\ncommitter ${stamp}\n\n${message}`;
  return { ...input, message, treeId, id: objectId('commit', Buffer.from(content)) };
}

const trees = new WeakMap<Commit, Map<string, TreeEntry[]>>();

/** The folders of a commit by path, worked out once. */
export function foldersOf(commit: Commit): Map<string, TreeEntry[]> {
  const known = trees.get(commit) ?? writeTrees(commit.files).folders;
  trees.set(commit, known);
  return known;
}
