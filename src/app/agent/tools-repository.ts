import { z } from 'zod';
import { canonicalPath, leadsOutside } from '../../domain/workplan/paths.ts';
import type { ItemRef } from '../../domain/workplan/people.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import { redactExcerpt, redactedLines, withoutSecretHits } from './file-secrets.ts';
import { defineTool, type Tool, ToolError } from './tool.ts';
import type { ItemGitLab } from './tool-context.ts';

const linesAtOnce = 400;
/** Characters of a read at most, so that its JSON stays below the limit of a result. */
const readLimit = 40_000;
const symbolLimit = 200;
const historyLimit = 20;

const repoPath = z.string().min(1).max(1000).describe('Path from the root of the repository, e.g. src/app.ts');

const listInput = z.strictObject({
  under: z.string().max(1000).optional().describe('A folder; without it the whole repository'),
  glob: z.string().min(1).max(300).optional().describe('Only paths that fit, e.g. **/*.test.ts or *.{yml,yaml}'),
  limit: z.number().int().min(1).max(2000).optional().describe('500 without it'),
});
const readInput = z
  .strictObject({
    path: repoPath,
    startLine: z.number().int().min(1).optional().describe('First line, from 1; 1 without it'),
    endLine: z.number().int().min(1).optional().describe('Last line, included'),
  })
  .refine(({ startLine = 1, endLine }) => endLine === undefined || endLine >= startLine, 'endLine is before startLine');
const searchInput = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe('Words, identifiers, a message or trace, or a whole issue: its first line counts as the title'),
  limit: z.number().int().min(1).max(100).optional().describe('20 without it'),
});
const symbolsInput = z
  .strictObject({ name: z.string().trim().min(1).max(200).optional(), path: repoPath.optional() })
  .refine(({ name, path }) => name !== undefined || path !== undefined, 'expected name or path');
const referencesInput = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('The name as it is written in code'),
  limit: z.number().int().min(1).max(300).optional().describe('60 without it'),
});
const findInput = z.strictObject({
  pattern: z.string().min(1).max(500).describe('The text, or a regular expression of JavaScript for one line'),
  regexp: z.boolean().optional().describe('True: the pattern is a regular expression'),
  ignoreCase: z.boolean().optional(),
  glob: z.string().min(1).max(300).optional().describe('Only in files that fit, e.g. src/**/*.ts'),
  limit: z.number().int().min(1).max(300).optional().describe('60 without it'),
});
const mapInput = z.strictObject({
  tokens: z.number().int().min(100).max(15_000).optional().describe('What the map may cost; 2000 without it'),
  about: z.string().trim().max(20_000).optional().describe('What is looked for: its files come first'),
});
const historyInput = z.strictObject({ path: repoPath });

/** Tools that read the repository at the run's commit; history needs GitLab. */
export function repositoryTools(
  repository: RepositorySnapshot,
  source: { gitlab: Pick<ItemGitLab, 'fileHistory'>; item: ItemRef } | null,
): Tool[] {
  const tools = [
    listTool(repository),
    readTool(repository),
    searchTool(repository),
    findTool(repository),
    symbolsTool(repository),
    referencesTool(repository),
    mapTool(repository),
  ];
  return source ? [...tools, historyTool(repository, source.gitlab, source.item)] : tools;
}

function listTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_list',
    description:
      'Files of the repository, sorted by path, with size in bytes and number of lines; all, below a folder, or by a glob. `leftOut` says what of the repository cannot be read.',
    input: listInput,
    read: ({ under, glob, limit }) => {
      const folder = under === undefined ? '' : normalPath(under);
      const wanted = { under: folder, limit: limit ?? 500 };
      const { files, more } = repository.list(glob === undefined ? wanted : { ...wanted, glob });
      if (files.length === 0 && folder !== '' && glob === undefined)
        throw new ToolError(
          'not_found',
          `There is no folder ${folder} at this commit; list without "under" to see all.`,
        );
      const shown = files.map(({ path, size, lines, binary }) => ({ path, size, lines, binary }));
      const notes = repository.notes ?? [];
      return { commit: repository.commit, files: shown, more, ...(notes.length > 0 ? { leftOut: notes } : {}) };
    },
  });
}

function readTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_read',
    description: `Lines of a text file, at most ${linesAtOnce} a call; call again with startLine for the rest.`,
    input: readInput,
    read: ({ path, startLine = 1, endLine }) => {
      const name = normalPath(path);
      const last = Math.min(endLine ?? startLine + linesAtOnce - 1, startLine + linesAtOnce - 1);
      const found = repository.read(name, startLine, last);
      if (found === null) throw new ToolError('not_found', missingFile(repository, name));
      if (startLine > found.totalLines && found.totalLines > 0)
        throw new ToolError('out_of_range', `${name} has ${found.totalLines} lines, got startLine ${startLine}.`);
      const lines = redactedLines(repository, name)?.slice(found.startLine - 1, found.endLine);
      return { path: name, ...wholeLines(lines ? { ...found, text: lines.join('\n') } : found) };
    },
  });
}

/** As many whole lines as a result can carry; a single line that is longer is cut. */
function wholeLines(found: { text: string; startLine: number; endLine: number; totalLines: number }): object {
  const { text, startLine, endLine, totalLines } = found;
  if (text.length <= readLimit)
    return endLine < totalLines
      ? { startLine, endLine, totalLines, text, notice: `More lines follow: read on from line ${endLine + 1}.` }
      : { startLine, endLine, totalLines, text };
  const cut = text.lastIndexOf('\n', readLimit);
  const shown = cut > 0 ? text.slice(0, cut) : text.slice(0, readLimit).toWellFormed();
  const lines = shown.split('\n').length;
  const notice =
    cut > 0 ? `Read on from line ${startLine + lines}.` : `Line ${startLine} is cut: it is too long to be shown.`;
  return { startLine, endLine: startLine + lines - 1, totalLines, text: shown, notice };
}

function searchTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_search',
    description:
      'The files that words, identifiers or a whole issue are about, best first, with the reasons (`why`). Identifiers are found by their parts too; file names and stack traces in the query count. For an exact text use repo_find.',
    input: searchInput,
    read: ({ query, limit }) => ({
      hits: repository.search(query, limit ?? 20).map((hit) => ({
        ...hit,
        excerpt: redactExcerpt(repository, hit.path, hit.excerpt).slice(0, 2000).toWellFormed(),
      })),
    }),
  });
}

function symbolsTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_symbols',
    description: 'Where a function, class, type or heading is defined (name), or what a file defines (path).',
    input: symbolsInput,
    read: ({ name, path }) => {
      if (path === undefined) return { symbols: repository.symbols(name ?? '', symbolLimit) };
      const file = normalPath(path);
      if (repository.file(file) === null) throw new ToolError('not_found', missingFile(repository, file));
      const symbols = repository.symbolsOf(file);
      return { symbols: name === undefined ? symbols : symbols.filter((symbol) => symbol.name === name) };
    },
  });
}

function findTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_find',
    description: 'Every line with an exact text or fitting a regular expression, by path.',
    input: findInput,
    read: async ({ pattern, regexp = false, ignoreCase = false, glob, limit = 60 }, signal) => {
      const options = { pattern, regexp, ignoreCase, limit, signal };
      const { hits, ...rest } = await repository.find(glob === undefined ? options : { ...options, glob });
      const folded = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
      const fits = (text: string): boolean => !regexp && folded(text).includes(folded(pattern));
      return { hits: withoutSecretHits(repository, hits, fits), ...rest };
    },
  });
}

function referencesTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_references',
    description:
      'Where a function, class, type or variable is defined, called, imported and used: definitions first, then calls. Comments and texts are left out.',
    input: referencesInput,
    read: async ({ name, limit = 60 }) => {
      const { references, ...rest } = await repository.references(name, limit);
      return { references: withoutSecretHits(repository, references, () => true), ...rest };
    },
  });
}

function mapTool(repository: RepositorySnapshot): Tool {
  return defineTool({
    name: 'repo_map',
    description:
      'A map of the repository within a number of tokens: the files that matter most and what they define, with line numbers. `about` turns it to a subject.',
    input: mapInput,
    read: ({ tokens = 2_000, about }) => {
      const { text, files } = repository.map(about === undefined ? { tokens } : { tokens, about });
      return { map: text, files, ofFiles: repository.fileCount };
    },
  });
}

function historyTool(repository: RepositorySnapshot, gitlab: Pick<ItemGitLab, 'fileHistory'>, item: ItemRef): Tool {
  return defineTool({
    name: 'repo_history',
    description: `The newest commits that changed a file, at most ${historyLimit}.`,
    input: historyInput,
    read: async ({ path }, signal) => {
      const name = normalPath(path);
      if (leadsOutside(canonicalPath(name)))
        throw new ToolError('not_found', `${name} is no path inside the repository; name one relative to its root.`);
      return {
        commits: await gitlab.fileHistory(item.projectId, repository.commit, name, historyLimit, { signal }),
      };
    },
  });
}

/** Agents write `./src/a.ts`, `/src/a.ts` and `src/` for what the repository knows as `src/a.ts` and `src`. */
function normalPath(path: string): string {
  return path
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

function missingFile(repository: RepositorySnapshot, path: string): string {
  if (repository.file(path)?.binary) return `${path} is not a text file; it can be listed but not read.`;
  const name = path.split('/').at(-1)?.toLowerCase();
  const { files } = repository.list({ under: '', limit: 20_000 });
  const near = files.filter((file) => file.path.split('/').at(-1)?.toLowerCase() === name).slice(0, 5);
  const hint =
    near.length > 0 ? ` Did you mean ${near.map((file) => file.path).join(' or ')}?` : ' List or search to find it.';
  return `There is no file ${path} at this commit.${hint}`;
}
