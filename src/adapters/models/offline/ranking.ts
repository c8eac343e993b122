/** Finding the files that matter: queries from the item's words, and a score for each file (by tool calls alone). */
import { areaOf, isBuilt, isCode, isOwn, isTest } from './code-facts.ts';
import type { Call, Work } from './conversation.ts';
import { concreteStems, type Reading } from './requirements.ts';
import { overlap, stem, stemSet, translated, words } from './text.ts';
import { type File, filesOf, type Hit, hitsOf, type Item, MAX_TEXT, readOf } from './tool-data.ts';

export interface Ranked {
  path: string;
  score: number;
  /** Lines that searches hit, best first. */
  lines: number[];
}

export interface Found {
  files: File[];
  /** Every path that is known to exist. Grows when the list was too long for one answer (see `complete`). */
  paths: Set<string>;
  /** Whether `paths` is the whole repository. */
  complete: boolean;
  ranked: Ranked[];
}

const MAX_WORD_QUERIES = 12;
/** Weight of a query that holds the whole item; its rank is the search's own and is not discounted. */
const WHOLE = 3;

/** Significant words of an item, most telling first: those of the title count three times. */
export function keywords(item: Item, reading: Reading): string[] {
  const weight = new Map<string, { word: string; count: number }>();
  const add = (text: string, by: number) => {
    for (const word of [...words(text), ...translated(text)]) {
      if (!/^[a-z]/.test(word) || word.length < 3) continue;
      const key = stem(word);
      const known = weight.get(key);
      if (known) known.count += by;
      else weight.set(key, { word, count: by });
    }
  };
  add(item.title, 3);
  for (const one of reading.requirements) add(one.requirement.text, 1);
  for (const point of reading.open) add(point.text, 1);
  if (reading.requirements.length === 0) add(item.description.slice(0, 4000), 1);
  const telling = new Set(concreteStems([...weight.values()].map((entry) => entry.word).join(' ')));
  return [...weight.entries()]
    .filter(([key]) => telling.has(key))
    .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
    .map(([, entry]) => entry.word);
}

function queriesOf(item: Item, reading: Reading): { query: string; weight: number }[] {
  const named = reading.names.filter((name) => !name.includes(' ')).slice(0, 10);
  const queries = named.map((name) => ({ query: name.split('/').at(-1) ?? name, weight: 2.5 }));
  queries.push(
    ...keywords(item, reading)
      .slice(0, MAX_WORD_QUERIES)
      .map((word, i) => ({ query: word, weight: i < 4 ? 1.6 : 1 })),
  );
  // All of it at once finds what speaks of the whole, which single words do not tell.
  const whole = [item.title, [item.title, ...keywords(item, reading).slice(0, 20)].join(' ')];
  queries.unshift(...whole.map((query) => ({ query: query.slice(0, 400), weight: WHOLE })));
  const seen = new Set<string>();
  return queries.filter(({ query }) => {
    const fresh = query.length > 1 && !seen.has(query.toLowerCase());
    seen.add(query.toLowerCase());
    return fresh;
  });
}

/** How much a kind of file says about where work happens. */
function factor(path: string, counts: ReadonlySet<string>): number {
  if (!isOwn(path) && !(isBuilt(path) && counts.has(path))) return 0;
  // The same once more: declarations beside their code, one format of modules beside the other.
  if (
    /\.d\.[cm]?ts$/.test(path) &&
    ['.js', '.mjs', '.cjs'].some((end) => counts.has(path.replace(/\.d\.[cm]?ts$/, end)))
  )
    return 0.2;
  if (/(^|\/)(cjs|commonjs|umd)\//.test(path) && counts.has(path.replace(/(^|\/)(cjs|commonjs|umd)\//, '$1esm/')))
    return 0.1;
  if (isTest(path)) return 0.45;
  if (/(^|\/)(bench(marks?)?|examples?|samples?|demos?|playground)\//i.test(path)) return 0.25;
  const area = areaOf(path);
  if (/(^|\/)(changelog|history)\b/i.test(path)) return 0.1;
  if (area === 'docs') return 0.35;
  return isCode(path) ? 1 : 0.25;
}

/** Lists the repository and searches it; files by score, best first. */
export function* findFiles(item: Item, reading: Reading): Work<Found> {
  const queries = queriesOf(item, reading);
  const calls: Call[] = [
    { name: 'repo_list', input: { limit: 2000 } },
    ...queries.map(({ query }) => ({ name: 'repo_search', input: { query, limit: 12 } })),
  ];
  const [listed, ...searched] = yield calls;
  const hits = searched.map(hitsOf);
  const all = isCut(listed) ? yield* listFolders(filesOf(listed), hits.flat()) : filesOf(listed);
  const own = all.filter((file) => isOwn(file.path));
  const sources = own.filter((file) => isCode(file.path) && !/\.d\.[cm]?ts$/.test(file.path) && !isTest(file.path));
  const built = all.filter((file) => isBuilt(file.path));
  const published = built.filter((file) => isCode(file.path)).length > 4 * sources.length;
  const files = published ? [...own, ...built] : own;
  const counts = new Set(files.map((file) => file.path));
  const scores = new Map<string, { score: number; lines: Map<number, number> }>();
  const bump = (path: string, by: number, line?: number) => {
    const entry = scores.get(path) ?? { score: 0, lines: new Map<number, number>() };
    entry.score += by;
    if (line !== undefined) entry.lines.set(line, (entry.lines.get(line) ?? 0) + by);
    scores.set(path, entry);
  };
  for (const [index, list] of hits.entries()) {
    const query = queries[index];
    if (query === undefined) continue;
    // A word that is everywhere tells little about where.
    const rarity = query.weight === WHOLE ? 1 : 1 / Math.sqrt(1 + distinctPaths(list).size / 3);
    for (const [rank, hit] of list.entries()) bump(hit.path, (query.weight * rarity) / Math.sqrt(rank + 1), hit.line);
  }
  const vocabulary = stemSet(`${item.title} ${keywords(item, reading).slice(0, 14).join(' ')}`);
  const titled = stemSet(`${item.title} ${translated(item.title).join(' ')}`);
  for (const file of files) {
    if (file.binary) continue;
    const words = stemSet(
      file.path
        .replace(/\.\w+$/, '')
        .split('/')
        .slice(-2)
        .join(' '),
    );
    const inTitle = [...words].filter((word) => titled.has(word)).length;
    if (words.size > 0 && overlap(words, vocabulary) > 0)
      bump(file.path, 0.8 * overlap(words, vocabulary) + 0.5 * inTitle);
    const base = (file.path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    if (
      reading.names.some(
        (name) => name.length > 3 && (file.path === name || file.path.endsWith(`/${name}`) || base === name),
      )
    )
      bump(file.path, 4);
  }
  const segments = [
    ...`${item.title}\n${item.description}`
      .slice(0, MAX_TEXT)
      .matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE)\s+\/([\w-]+)/g),
  ].map((match) => stem(match[1] ?? ''));
  for (const file of files) {
    // A call that the item names is offered where the calls of that resource are.
    const name = stemSet((file.path.split('/').at(-1) ?? '').replace(/\.\w+$/, ''));
    if (areaOf(file.path) === 'api' && segments.some((segment) => name.has(segment))) bump(file.path, 2);
  }
  const known = new Set([...all.map((file) => file.path), ...hits.flat().map((hit) => hit.path)]);
  const ranked = [...scores.entries()]
    .map(([path, entry]) => ({
      path,
      score: entry.score * factor(path, counts),
      lines: [...entry.lines.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([line]) => line),
    }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return { files, paths: known, complete: listed !== null && !isCut(listed), ranked };
}

/** A repository too large for one answer: what lies beside the hits, and where tests usually are, is listed by itself. */
function* listFolders(listed: File[], hits: Hit[]): Work<File[]> {
  const above = hits.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1);
    return [parts.slice(0, 2).join('/'), parts.join('/')].filter((folder) => folder !== '');
  });
  const counts = new Map<string, number>();
  for (const folder of above) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const near = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([folder]) => folder);
  const folders = [...new Set(['test', 'tests', 'spec', '__tests__', 'tests/unit', ...near])].slice(0, 16);
  const results = yield folders.map((under) => ({ name: 'repo_list', input: { under, limit: 600 } }));
  return [...new Map([...listed, ...results.flatMap(filesOf)].map((file) => [file.path, file])).values()];
}

function distinctPaths(hits: Hit[]): Set<string> {
  return new Set(hits.map((hit) => hit.path));
}

function isCut(listed: unknown): boolean {
  return typeof listed === 'object' && listed !== null && 'more' in listed && listed.more === true;
}

/** In a repository too large to be listed: opens paths that are not known to exist, and adds those that do. */
export function* confirmPaths(found: Found, wanted: string[]): Work<void> {
  const doubtful = [...new Set(wanted)].filter((path) => !found.paths.has(path)).slice(0, 60);
  if (found.complete || doubtful.length === 0) return;
  const results = yield doubtful.map((path) => ({ name: 'repo_read', input: { path, startLine: 1, endLine: 1 } }));
  for (const [index, path] of doubtful.entries()) if (readOf(results[index]) !== null) found.paths.add(path);
}
