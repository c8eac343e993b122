import type { RepositoryFile, RepositorySnapshot, SearchHit, SymbolHit } from '../../../src/ports/repository.ts';

/**
 * A snapshot of these files (null: a binary file): search and find take text as it stands, symbols are `function NAME` lines, references
 * lines with the name, the map is the list of paths.
 */
export function createFakeSnapshot(files: Record<string, string | null>, commit = 'c0ffee'): RepositorySnapshot {
  const paths = Object.keys(files).sort();

  function linesOf(path: string): string[] | null {
    const text = Object.hasOwn(files, path) ? files[path] : null;
    return text === null || text === undefined ? null : text.replace(/\n$/, '').split('\n');
  }

  function file(path: string): RepositoryFile | null {
    if (!Object.hasOwn(files, path)) return null;
    const lines = linesOf(path);
    return { path, size: files[path]?.length ?? 0, lines: lines?.length ?? 0, binary: lines === null };
  }

  function symbolsOf(path: string): SymbolHit[] {
    return (linesOf(path) ?? []).flatMap((line, index) => {
      const name = /function (\w+)/.exec(line)?.[1];
      return name ? [{ name, kind: 'function', path, startLine: index + 1, endLine: index + 1 }] : [];
    });
  }

  function search(query: string, limit: number): SearchHit[] {
    const hits = paths.flatMap((path) => {
      const index = (linesOf(path) ?? []).findIndex((line) => line.includes(query));
      return index < 0 ? [] : [{ path, line: index + 1, excerpt: `${index + 1}: ${linesOf(path)?.[index]}`, score: 1 }];
    });
    return hits.slice(0, limit);
  }

  function lines(wanted: (line: string) => boolean, limit: number): { path: string; line: number; text: string }[] {
    return paths
      .flatMap((path) => (linesOf(path) ?? []).map((text, index) => ({ path, line: index + 1, text })))
      .filter(({ text }) => wanted(text))
      .slice(0, limit);
  }

  return {
    commit,
    fileCount: paths.length,
    list: ({ under, limit }) => {
      const found = paths.filter((path) => !under || path.startsWith(`${under}/`)).flatMap((path) => file(path) ?? []);
      return { files: found.slice(0, limit), more: found.length > limit };
    },
    file,
    otherAt: (path) => (paths.some((known) => known.startsWith(`${path}/`)) ? 'folder' : null),
    read: (path, startLine, endLine) => {
      const lines = linesOf(path);
      if (lines === null) return null;
      const last = Math.min(endLine, lines.length);
      return { text: lines.slice(startLine - 1, last).join('\n'), startLine, endLine: last, totalLines: lines.length };
    },
    search,
    symbols: (name, limit) =>
      paths
        .flatMap(symbolsOf)
        .filter((symbol) => symbol.name === name)
        .slice(0, limit),
    symbolsOf,
    references: async (name, limit) => ({
      references: lines((line) => line.includes(name), limit).map((hit) => ({
        ...hit,
        kind: hit.text.includes(`function ${name}`) ? ('definition' as const) : ('use' as const),
      })),
      more: false,
    }),
    find: async ({ pattern, regexp, limit }) => {
      const expression = regexp ? new RegExp(pattern) : null;
      return { hits: lines((line) => expression?.test(line) ?? line.includes(pattern), limit), more: false };
    },
    map: ({ tokens }) => ({ text: paths.join('\n').slice(0, tokens * 3), files: paths.length }),
  };
}
