import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import { wholeLines } from './text.ts';

type Entry = ReturnType<typeof extract> extends AsyncIterable<infer One> ? One : never;

/** What a snapshot keeps at most; the rest is left out with a note. */
export interface SnapshotLimits {
  /** Bytes kept of one file. */
  fileBytes: number;
  /** Bytes kept of all files together. */
  totalBytes: number;
  /** Files listed. */
  files: number;
  /** Bytes the unpacked archive may have: beyond it the repository is refused. */
  archiveBytes: number;
}

export const defaultLimits: SnapshotLimits = {
  fileBytes: 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  files: 200_000,
  archiveBytes: 4 * 1024 * 1024 * 1024,
};

export interface ArchiveFile {
  kind: 'file';
  path: string;
  /** Of the whole file, in bytes. */
  size: number;
  /** Its beginning up to the limit; null: nothing of it is kept. */
  bytes: Uint8Array | null;
}

/** What is in the archive and cannot be read: a link, a folder (also an empty one, as of a submodule), a file too many. */
export interface ArchiveOther {
  kind: 'link' | 'folder' | 'unlisted';
  path: string;
}

/** What was left out, counted while reading. */
export interface LeftOut {
  links: number;
  oddPaths: number;
  cut: { path: string; size: number; kept: number }[];
  withoutText: number;
  unlisted: number;
}

export function nothingLeftOut(): LeftOut {
  return { links: 0, oddPaths: 0, cut: [], withoutText: 0, unlisted: 0 };
}

/**
 * The files of a gzipped tar as GitLab makes it (one folder at the top, which is taken off). Nothing is written to disk: a
 * hostile path can only be odd, and is left out; links are not followed. `leftOut` is filled while it is read.
 */
export async function* archiveFiles(
  archive: AsyncIterable<Uint8Array>,
  limits: SnapshotLimits,
  leftOut: LeftOut,
): AsyncGenerator<ArchiveFile | ArchiveOther> {
  const { entries, reasonOf, end } = unpack(archive);
  try {
    yield* filesOf(entries, limits, leftOut);
  } catch (error) {
    throw reasonOf(error);
  } finally {
    end();
  }
}

async function* filesOf(
  entries: AsyncIterable<Entry>,
  limits: SnapshotLimits,
  leftOut: LeftOut,
): AsyncGenerator<ArchiveFile | ArchiveOther> {
  const seen = new Set<string>();
  let kept = 0;
  let unpacked = 0;
  for await (const entry of entries) {
    const { type, name } = entry.header;
    const size = entry.header.size ?? 0;
    unpacked += size;
    if (unpacked > limits.archiveBytes) {
      throw new PermanentFailure('repository_too_large', `The repository has more than ${limits.archiveBytes} bytes`);
    }
    const path = type === 'file' || type === 'contiguous-file' ? insidePath(name) : null;
    if (path === null || seen.has(path) || seen.size >= limits.files) {
      if (type === 'symlink' || type === 'link') leftOut.links += 1;
      else if (type === 'file' && path === null) leftOut.oddPaths += 1;
      else if (path !== null && !seen.has(path)) leftOut.unlisted += 1;
      await skip(entry);
      const other = otherOf(type, name, path !== null && !seen.has(path));
      if (other) yield other;
      continue;
    }
    seen.add(path);
    if (kept >= limits.totalBytes) {
      leftOut.withoutText += 1;
      await skip(entry);
      yield { kind: 'file', path, size, bytes: null };
      continue;
    }
    const start = await readStart(entry, limits.fileBytes);
    const bytes = size > start.length ? wholeLines(start) : start;
    if (size > bytes.length) leftOut.cut.push({ path, size, kept: bytes.length });
    kept += bytes.length;
    yield { kind: 'file', path, size, bytes };
  }
}

function otherOf(type: Entry['header']['type'], name: string, unlisted: boolean): ArchiveOther | null {
  const kind =
    type === 'symlink' || type === 'link' ? 'link' : type === 'directory' ? 'folder' : unlisted ? 'unlisted' : null;
  const path = insidePath(name.replace(/\/$/, ''));
  return kind === null || path === null ? null : { kind, path };
}

/** The path below the archive's top folder; null when it is not plainly inside of it. */
function insidePath(name: string): string | null {
  if (name.startsWith('/') || name.includes('\0')) return null;
  const parts = name.split('/');
  if (parts[0] === '.') parts.shift();
  if (parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  return parts.slice(1).join('/').toWellFormed();
}

/** Unpacks the archive; `reasonOf` gives what an error met while reading means. */
function unpack(archive: AsyncIterable<Uint8Array>): {
  entries: AsyncIterable<Entry>;
  reasonOf(error: unknown): unknown;
  end(): void;
} {
  let failure: { reason: unknown } | undefined;
  // A failure of the archive itself is told from one that the stream throws back into it.
  async function* watched(): AsyncGenerator<Uint8Array> {
    const pieces = archive[Symbol.asyncIterator]();
    try {
      for (;;) {
        const piece = await pieces.next().catch((reason: unknown) => {
          failure = { reason };
          throw reason;
        });
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      // Ends the download too when nobody reads on.
      await pieces.return?.();
    }
  }
  const source = Readable.from(watched(), { objectMode: false });
  const entries = extract();
  // Errors of every part end in the last, where whoever reads the entries meets them.
  pipeline(source, createGunzip(), entries, () => undefined);

  function reasonOf(error: unknown): unknown {
    if (error instanceof PermanentFailure) return error;
    // The archive's own failure (or the abort) says more than the end of data it caused.
    if (failure) return failure.reason;
    return new TransientFailure(
      'repository_archive_broken',
      `The repository's archive could not be unpacked: ${error instanceof Error ? error.message : 'unknown reason'}`,
    );
  }

  function end(): void {
    source.destroy();
    entries.destroy();
  }

  return { entries, reasonOf, end };
}

async function skip(entry: Entry): Promise<void> {
  for await (const _chunk of entry) {
    // Reading it is what brings the next entry.
  }
}

async function readStart(entry: Entry, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    if (length < limit) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Sentences for people and agents about what the snapshot lacks. */
export function notesOf(leftOut: LeftOut, limits: SnapshotLimits): string[] {
  const notes = leftOut.cut
    .slice(0, 20)
    .map(({ path, size, kept }) => `${path}: only its first ${kept} of ${size} bytes can be read and searched.`);
  if (leftOut.cut.length > 20) notes.push(`${leftOut.cut.length - 20} more files are cut likewise.`);
  if (leftOut.withoutText > 0) {
    const limit = `the snapshot keeps ${limits.totalBytes} bytes of text`;
    notes.push(`${leftOut.withoutText} files are listed without their text: ${limit}.`);
  }
  if (leftOut.unlisted > 0) notes.push(`${leftOut.unlisted} files are not listed: at most ${limits.files} are.`);
  if (leftOut.links > 0) notes.push(`${leftOut.links} links are left out: links are not followed.`);
  if (leftOut.oddPaths > 0)
    notes.push(`${leftOut.oddPaths} entries with paths outside of the repository are left out.`);
  return notes;
}
