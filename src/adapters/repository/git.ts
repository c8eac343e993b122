/**
 * A local git repository read by the git program: objects only, nothing of the repository is executed. Its own configuration
 * could name programs (pager, monitor, filters, signatures, transports): what can be is switched off, and only plumbing that
 * reads objects is called, so that no filter and no hook of it ever runs.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { PermanentFailure } from '../../ports/failures.ts';
import type { ArchiveFile, ArchiveOther, LeftOut, SnapshotLimits } from './archive.ts';
import { wholeLines } from './text.ts';

const SAFE = [
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    'safe.directory=*',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=false',
    'core.askPass=',
    'core.pager=cat',
    'core.attributesFile=/dev/null',
    'credential.helper=',
    'protocol.allow=never',
    'log.showSignature=false',
    'diff.external=',
    'diff.renames=false',
    'gpg.program=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'uploadpack.packObjectsHook=',
  ].flatMap((setting) => ['-c', setting]),
];
const MAX_OUTPUT = 256 * 1024 * 1024;
/** Content is asked for in such portions, so that little waits in between. */
const AT_ONCE = 64;

interface TreeEntry {
  path: string;
  kind: 'file' | 'link' | 'folder';
  id: string;
  size: number;
}

export interface GitRepository {
  /** The full id of a commit, by any name git knows; throws `commit_missing`. */
  commit(name: string): Promise<string>;
  /** The files at a commit. */
  entries(commit: string, limits: SnapshotLimits, leftOut: LeftOut): AsyncGenerator<ArchiveFile | ArchiveOther>;
  /** The newest commits up to one, with what they changed; merges are left out. */
  history(commit: string, most: number): Promise<{ subject: string; paths: string[] }[]>;
}

/** Null when the folder is not itself a git repository or the top of its work tree. Throws `git_missing` without the program. */
export async function openGit(folder: string, signal?: AbortSignal): Promise<GitRepository | null> {
  const run = (args: readonly string[]): Promise<Buffer> => output(folder, args, signal);
  try {
    await run(['rev-parse', '--git-dir']);
  } catch (error) {
    if (error instanceof PermanentFailure && error.code === 'git_failed') return null;
    throw error;
  }

  async function commit(name: string): Promise<string> {
    try {
      const id = await run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
      return id.toString('utf8').trim();
    } catch (error) {
      if (!(error instanceof PermanentFailure) || error.code !== 'git_failed') throw error;
      throw new PermanentFailure('commit_missing', `${folder} has no commit ${JSON.stringify(name)}`);
    }
  }

  async function* entries(
    id: string,
    limits: SnapshotLimits,
    leftOut: LeftOut,
  ): AsyncGenerator<ArchiveFile | ArchiveOther> {
    const tree = treeEntries(await run(['ls-tree', '-r', '-l', '-z', '--full-tree', id]));
    const files = tree.filter(({ kind }) => kind === 'file');
    for (const { kind, path } of tree) {
      if (kind === 'file') continue;
      if (kind === 'link') leftOut.links += 1;
      yield { kind, path };
    }
    for (const { path } of files.slice(limits.files)) {
      leftOut.unlisted += 1;
      yield { kind: 'unlisted', path };
    }
    const blobs = readBlobs(folder, signal);
    let kept = 0;
    try {
      const listed = files.slice(0, limits.files);
      for (let start = 0; start < listed.length; start += AT_ONCE) {
        const portion = listed.slice(start, start + AT_ONCE);
        const wanted = portion.filter(({ size }) => size <= limits.archiveBytes / 16);
        const contents = await blobs.read(
          wanted.map((entry) => entry.id),
          limits.fileBytes,
        );
        for (const entry of portion) {
          const content = contents.get(entry.id) ?? null;
          if (content === null || kept >= limits.totalBytes) {
            leftOut.withoutText += 1;
            yield { kind: 'file', path: entry.path, size: entry.size, bytes: null };
            continue;
          }
          const bytes = entry.size > content.length ? wholeLines(content) : content;
          if (entry.size > bytes.length) leftOut.cut.push({ path: entry.path, size: entry.size, kept: bytes.length });
          kept += bytes.length;
          yield { kind: 'file', path: entry.path, size: entry.size, bytes };
        }
      }
    } finally {
      blobs.end();
    }
  }

  async function history(id: string, most: number): Promise<{ subject: string; paths: string[] }[]> {
    const text = await run([
      'log',
      `--max-count=${most}`,
      '--no-merges',
      '--no-show-signature',
      '--no-ext-diff',
      '--no-textconv',
      '--no-mailmap',
      '--name-only',
      '-z',
      '--format=%x01%s%x02',
      '--end-of-options',
      id,
    ]);
    return text
      .toString('utf8')
      .split('\u0001')
      .slice(1)
      .map((one) => {
        const [subject = '', paths = ''] = one.split('\u0002');
        return { subject, paths: paths.split(/[\0\n]/).filter((path) => path !== '') };
      });
  }

  return { commit, entries, history };
}

function treeEntries(listing: Buffer): TreeEntry[] {
  const found: TreeEntry[] = [];
  for (const line of listing.toString('utf8').split('\0')) {
    const [, mode = '', type = '', id = '', size = '', path = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(line) ?? [];
    if (path === '') continue;
    const kind = type === 'commit' ? 'folder' : mode === '120000' ? 'link' : 'file';
    found.push({ path: path.toWellFormed(), kind, id, size: Number(size) || 0 });
  }
  return found;
}

function environment(folder: string): NodeJS.ProcessEnv {
  return {
    // A folder somewhere in another repository is not that repository.
    GIT_CEILING_DIRECTORIES: dirname(realpathSync(folder)),
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_ASKPASS: 'false',
    GIT_PAGER: 'cat',
  };
}

function start(folder: string, args: readonly string[], signal?: AbortSignal): ChildProcessWithoutNullStreams {
  return spawn('git', [...SAFE, ...args], {
    cwd: folder,
    env: environment(folder),
    stdio: 'pipe',
    ...(signal ? { signal } : {}),
  });
}

function output(folder: string, args: readonly string[], signal?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = start(folder, args, signal);
    const chunks: Buffer[] = [];
    let length = 0;
    let complaint = '';
    child.stdin.on('error', () => undefined);
    child.stdin.end();
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_OUTPUT) child.kill();
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 1000) complaint += chunk.toString('utf8');
    });
    child.on('error', (error) => reject(asFailure(error)));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new PermanentFailure('git_failed', `git ${args[0]} failed: ${complaint.trim().slice(0, 300)}`));
    });
  });
}

function asFailure(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  return new PermanentFailure('git_missing', 'The git program was not found; install git, or name a plain folder');
}

/** One `git cat-file --batch` for all contents. */
function readBlobs(
  folder: string,
  signal?: AbortSignal,
): {
  /** The beginnings of these objects, at most `most` bytes each; what is missing is left out. */
  read(ids: readonly string[], most: number): Promise<Map<string, Buffer>>;
  end(): void;
} {
  const child = start(folder, ['cat-file', '--batch'], signal);
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    const next = await chunks.next();
    if (next.done) throw new PermanentFailure('git_failed', 'git cat-file ended early');
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
  }

  async function line(): Promise<string> {
    for (;;) {
      const end = rest.indexOf(0x0a);
      if (end >= 0) {
        const text = rest.subarray(0, end).toString('utf8');
        rest = rest.subarray(end + 1);
        return text;
      }
      await more();
    }
  }

  async function content(size: number, most: number): Promise<Buffer> {
    const kept: Buffer[] = [];
    let left = size;
    let room = most;
    while (left > 0) {
      if (rest.length === 0) await more();
      const piece = rest.subarray(0, left);
      if (room > 0) kept.push(Buffer.from(piece.subarray(0, room)));
      room -= piece.length;
      left -= piece.length;
      rest = rest.subarray(piece.length);
    }
    if (rest.length === 0) await more();
    rest = rest.subarray(1);
    return Buffer.concat(kept);
  }

  async function read(ids: readonly string[], most: number): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    child.stdin.write(ids.map((id) => `${id}\n`).join(''));
    for (const id of ids) {
      const head = await line();
      const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1] ?? Number.NaN);
      if (!Number.isNaN(size)) found.set(id, await content(size, most));
    }
    return found;
  }

  return {
    read,
    end() {
      child.stdin.end();
      child.kill();
    },
  };
}
