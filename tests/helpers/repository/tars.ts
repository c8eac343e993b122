import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';

export type TarEntry = { name: string; content?: string | Uint8Array } & Partial<Pick<Header, 'type' | 'linkname'>>;

/** A gzipped tar with the entries as given, hostile ones too. */
export async function tarOf(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content = '', type = 'file', linkname } of entries) {
    const header: Parameters<ReturnType<typeof pack>['entry']>[0] = {
      name,
      type,
      ...(linkname === undefined ? {} : { linkname }),
    };
    if (type === 'file') tar.entry(header, Buffer.from(content));
    else tar.entry(header);
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

/** As GitLab packs a repository: everything below one folder. */
export function repositoryTar(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  return tarOf(Object.entries(files).map(([path, content]) => ({ name: `sample-main-abc/${path}`, content })));
}

/** Bytes in pieces, as they come over a network. */
export async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The id of a commit that does not matter otherwise. */
export function commitOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}
