/** Opening the ranked files: their text, definitions and what is built from them. Every later claim rests on what was read here. */
import {
  type Area,
  areaOf,
  commentOf,
  type Definition,
  definitionsOf,
  isTest,
  rolesOf,
  routesOf,
} from './code-facts.ts';
import type { Call, Work } from './conversation.ts';
import { type Found, findFiles, type Ranked } from './ranking.ts';
import type { Reading } from './requirements.ts';
import { stem, stems } from './text.ts';
import { type Item, readOf, symbolsOf } from './tool-data.ts';

export interface Opened {
  path: string;
  area: Area;
  score: number;
  text: string;
  totalLines: number;
  definitions: Definition[];
  routes: { route: string; line: number }[];
  stems: Map<string, number>;
}

export interface Evidence extends Found {
  opened: Opened[];
  roles: string[];
  /** Commands by which the project is tested and checked, from its own manifests. */
  commands: string[];
}

const MAX_OPENED = 14;
const LINES_READ = 400;
const MANIFESTS = [
  'package.json',
  'Makefile',
  'pyproject.toml',
  'tox.ini',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'Gemfile',
  'composer.json',
];

/** Which files to open: the best of code, with room for a test, a document and for files that speak of roles. */
function choose(found: Found): Ranked[] {
  const best = found.ranked[0]?.score ?? 0;
  const close = found.ranked.filter((entry) => entry.score >= best * 0.12);
  const of = (wanted: (path: string) => boolean, count: number) =>
    close.filter((entry) => wanted(entry.path)).slice(0, count);
  const plain = (path: string) => !['docs', 'test', 'config'].includes(areaOf(path));
  const main = [
    ...of(plain, 9),
    ...of(isTest, 2),
    ...of((path) => areaOf(path) === 'docs', 2),
    ...of((path) => areaOf(path) === 'config', 1),
  ];
  const rest = found.ranked.filter((entry) => !main.includes(entry)).slice(0, Math.max(0, 4 - main.length));
  return [...main, ...rest].slice(0, MAX_OPENED);
}

/** Searches, then reads. */
export function* gather(item: Item, reading: Reading): Work<Evidence> {
  const found = yield* findFiles(item, reading);
  const chosen = choose(found);
  const manifests = MANIFESTS.filter((path) => found.paths.has(path));
  const roleFiles = found.files
    .filter(
      (file) =>
        /(role|permission|auth|access|polic)/i.test(file.path) &&
        !isTest(file.path) &&
        areaOf(file.path) !== 'docs' &&
        !chosen.some((one) => one.path === file.path),
    )
    .slice(0, 4);
  const read = (path: string, startLine = 1): Call => ({
    name: 'repo_read',
    input: { path, startLine, endLine: startLine + LINES_READ - 1 },
  });
  const starts = chosen.map(startOf);
  const calls = [
    ...chosen.map((one, index) => read(one.path, starts[index])),
    ...chosen.map((one) => ({ name: 'repo_symbols', input: { path: one.path } })),
    ...manifests.map((path) => read(path)),
    ...roleFiles.map((file) => read(file.path)),
  ];
  const results = yield calls;
  const opened: Opened[] = [];
  for (const [index, one] of chosen.entries()) {
    const part = readOf(results[index]);
    if (part === null) continue;
    // What stands before is left empty, so that lines keep their numbers.
    const text = { ...part, text: '\n'.repeat((starts[index] ?? 1) - 1) + part.text };
    const known = symbolsOf(results[chosen.length + index]);
    const symbols = known.filter((symbol) => symbol.endLine <= text.endLine && symbol.kind !== 'heading');
    const own = definitionsOf(text.text).map((one) =>
      one.endLine < text.endLine || text.endLine >= text.totalLines ? one : { ...one, endLine: endBeyond(one, known) },
    );
    opened.push({
      path: one.path,
      area: areaOf(one.path),
      score: one.score,
      text: text.text,
      totalLines: text.totalLines,
      // What the text shows comes first; symbols add what the forms do not know (methods, other languages).
      definitions: [...own, ...symbols.filter((symbol) => !own.some((known) => known.name === symbol.name))],
      routes: routesOf(text.text),
      stems: counted(text.text),
    });
  }
  const at = chosen.length * 2;
  const manifestTexts = manifests.map((path, i) => ({ path, text: readOf(results[at + i])?.text ?? '' }));
  const roleTexts = roleFiles.map((_, i) => readOf(results[at + manifests.length + i])?.text ?? '');
  return {
    ...found,
    opened,
    roles: rolesOf([
      ...roleTexts,
      ...opened.filter((file) => file.area !== 'docs' && file.area !== 'test').map((file) => file.text),
    ]),
    commands: commandsOf(manifestTexts, found.paths),
  };
}

/** Where to begin: at the top, unless all that a search found is further down than what is read from there. */
function startOf({ lines }: Ranked): number {
  const [best = 1] = lines;
  return lines.slice(0, 3).every((line) => line > LINES_READ - 20) ? Math.max(1, best - 120) : 1;
}

/** A definition that goes on after what was read: it ends where the symbols say, or is cited by its beginning; never more than can be cited. */
function endBeyond(
  { name, startLine }: Definition,
  symbols: { name: string; startLine: number; endLine: number }[],
): number {
  const symbol = symbols.find((one) => one.name === name && Math.abs(one.startLine - startLine) <= 1);
  return Math.min(symbol?.endLine ?? startLine + 39, startLine + 399);
}

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of stems(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function commandsOf(manifests: { path: string; text: string }[], paths: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const { path, text } of manifests) {
    if (path === 'package.json') {
      for (const name of ['test', 'check', 'lint', 'typecheck']) {
        if (new RegExp(`"${name}"\\s*:\\s*"`).test(text)) found.push(name === 'test' ? 'npm test' : `npm run ${name}`);
      }
    } else if (path === 'Makefile') {
      for (const name of ['test', 'check', 'lint'])
        if (new RegExp(`^${name}\\s*:`, 'm').test(text)) found.push(`make ${name}`);
    } else if (path === 'Cargo.toml') found.push('cargo test');
    else if (path === 'go.mod') found.push('go test ./...');
    else if (path === 'pom.xml') found.push('mvn test');
    else if (path === 'build.gradle') found.push('gradle test');
    else if (path === 'Gemfile' && /rspec/.test(text)) found.push('bundle exec rspec');
  }
  const python = [...paths].some((path) => /(^|\/)(test_[^/]+|[^/]+_test)\.py$/.test(path));
  if (python && !found.some((command) => command.includes('test'))) {
    found.push(
      manifests.some(({ text }) => /pytest/.test(text)) || paths.has('conftest.py') || paths.has('tests/conftest.py')
        ? 'pytest'
        : 'python -m unittest',
    );
  }
  return found.slice(0, 3);
}

/** How strongly a file speaks of these stems: rare, frequent and path words count more. */
export function relevance(file: Opened, wanted: ReadonlySet<string>): number {
  let score = 0;
  const path = new Set(stems(file.path));
  const names = new Set(file.definitions.flatMap((definition) => stems(definition.name)));
  for (const word of wanted) {
    const count = file.stems.get(word) ?? 0;
    if (count > 0) score += 1 + Math.min(1, Math.log10(count));
    if (path.has(word)) score += 1.5;
    if (names.has(word)) score += 1;
  }
  return score;
}

/** The definition of a file that speaks most of these stems, with its first comment sentence; null when none does. */
export function bestDefinition(
  file: Opened,
  wanted: ReadonlySet<string>,
): { definition: Definition; comment: string } | null {
  const lines = file.text.split('\n');
  let best: { definition: Definition; score: number } | null = null;
  for (const definition of file.definitions) {
    const named = stems(definition.name).filter((word) => wanted.has(stem(word))).length;
    const body = lines
      .slice(definition.startLine - 1, Math.min(definition.endLine, definition.startLine + 60))
      .join('\n');
    const inside = new Set(stems(body).filter((word) => wanted.has(word))).size;
    const bonus =
      definition.kind === 'function' ||
      definition.kind === 'table' ||
      definition.kind === 'class' ||
      definition.kind === 'method'
        ? 0.5
        : 0;
    const score = named * 2 + inside + (named + inside > 0 ? bonus : 0);
    if (score > 0 && (best === null || score > best.score)) best = { definition, score };
  }
  return best && { definition: best.definition, comment: commentOf(file.text, best.definition.startLine) };
}
