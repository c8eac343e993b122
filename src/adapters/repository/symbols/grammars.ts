/** The grammars of tree-sitter, loaded once a process; a file whose language has none is read by patterns. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Language, Parser, Query } from 'web-tree-sitter';
import { definitionQueries, type GrammarName } from './queries.ts';

export interface Grammar {
  language: Language;
  definitions: Query;
}

/** By ending of the file's name. */
const ENDINGS: Readonly<Record<string, GrammarName>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rb: 'ruby',
  rake: 'ruby',
  java: 'java',
  rs: 'rust',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  php: 'php',
  cs: 'c_sharp',
};

const loaded = new Map<GrammarName, Grammar>();
let queue: Promise<void> = Promise.resolve();

/** Loads the grammars of these files' languages, each once a process. What fails to load is read by patterns. */
export function loadGrammars(paths: Iterable<string>): Promise<void> {
  const wanted = new Set<GrammarName>();
  for (const path of paths) {
    const name = nameOf(path);
    if (name !== undefined && !loaded.has(name)) wanted.add(name);
  }
  if (wanted.size > 0) queue = queue.catch(() => undefined).then(() => readGrammars(wanted));
  return queue;
}

/** The grammar of a file; null when it is not loaded, and for a language without one. */
export function grammarOf(path: string): Grammar | null {
  const name = nameOf(path);
  return name === undefined ? null : (loaded.get(name) ?? null);
}

function nameOf(path: string): GrammarName | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

async function readGrammars(names: ReadonlySet<GrammarName>): Promise<void> {
  await Parser.init();
  const home = join(dirname(createRequire(import.meta.url).resolve('@repomix/tree-sitter-wasms/package.json')), 'out');
  for (const name of names) {
    if (loaded.has(name)) continue;
    const language = await Language.load(join(home, `tree-sitter-${name}.wasm`));
    loaded.set(name, { language, definitions: new Query(language, definitionQueries[name]) });
  }
}
