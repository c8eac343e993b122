/** Where a requirement is worked on: files it names, files that define what it names, else the file that speaks most of it. */
import { type Area, areaOf, isTest } from './code-facts.ts';
import { type Evidence, type Opened, relevance } from './evidence.ts';
import type { Asked } from './requirements.ts';
import { prose, slug, stem, stemSet, words } from './text.ts';

export interface Target {
  path: string;
  state: 'new' | 'existing';
}

const PATH =
  /^[\w.@-]+(?:\/[\w.@-]+)*\.[A-Za-z]\w{0,7}$|^(?:[\w.-]+\/)*(?:\.env[\w.]*|Makefile|Dockerfile|\.gitlab-ci\.yml)$/;
const STORES =
  /\b(stor(e|es|ed|ing)|persist\w*|sav(e|es|ed|ing)|database|tables?|columns?|migration|schema|record(s|ed)?)\b|保存|永続|テーブル|カラム|マイグレーション/i;
const DOCUMENTS =
  /\b(document(s|ed|ation)?|readme|changelog|docs|guide|manual|describ(e|es|ed))\b|ドキュメント|文書|手順書|マニュアル/i;
const SHOWS =
  /\b(page|screen|button|dialog|form|ui|banner|icon|display(s|ed)?|column in the table)\b|画面|ボタン|表示|フォーム/i;
const OFFERS =
  /`?(GET|POST|PUT|PATCH|DELETE) \/|\b(endpoint|route|api|status code|response|request|answers? \d{3}|http|command line|cli)\b|エンドポイント|API|コマンド/i;

/** Paths a text names, in the repository or to be made. */
export function namedPaths(text: string, evidence: Evidence): Target[] {
  const found: Target[] = [];
  // What follows a method is an address, also where it ends like a file.
  const plain = text.replace(/\b(GET|POST|PUT|PATCH|DELETE)\s+\/[^\s`]*/g, ' ').replace(/\bhttps?:\/\/\S+/g, ' ');
  for (const match of plain.matchAll(/`([^`\s]{2,120})`|(?<![\w/`])((?:[\w.-]+\/)+[\w.-]+\.\w{1,8})/g)) {
    const name = (match[1] ?? match[2] ?? '').replace(/^\.\//, '');
    if (!PATH.test(name) || name.includes('..')) continue;
    const exact = evidence.paths.has(name) ? name : [...evidence.paths].find((path) => path.endsWith(`/${name}`));
    if (exact !== undefined) found.push({ path: exact, state: 'existing' });
    else if (name.includes('/')) found.push({ path: name, state: 'new' });
  }
  return unique(found);
}

export function unique(targets: Target[]): Target[] {
  return [...new Map(targets.map((target) => [target.path, target])).values()];
}

/** The area in which a text's words place the work; null when they do not say. */
function wordedArea(text: string, evidence: Evidence): Area | null {
  const said = prose(text);
  const areas: [Area, boolean][] = [
    ['docs', DOCUMENTS.test(said)],
    ['api', OFFERS.test(text)],
    ['data', STORES.test(said)],
    ['ui', SHOWS.test(said)],
  ];
  // Only where the repository has such files: a service without pages shows nothing itself.
  return areas.find(([area, fits]) => fits && [...evidence.paths].some((path) => areaOf(path) === area))?.[0] ?? null;
}

/** Routes with a method that a text names, e.g. `POST /orders/:id/returns`. */
export function namedRoutes(text: string): string[] {
  return [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)\s+(\/[^\s`'",)]*)/g)].map(
    (match) => `${match[1]} ${match[2]}`,
  );
}

/** A numbered migration that exists has run somewhere: it is never changed, a new one follows it. */
function isApplied(path: string): boolean {
  return /(^|\/)(migrations?|migrate)\/\d+[_-]/i.test(path);
}

/** The file that registers the routes nearest to one that the text names: same first segments, best by its own name. */
function routeFiles(text: string, evidence: Evidence): Opened[] {
  const segments = (route: string) => (route.split(' ')[1] ?? '').split(/[/?]/).filter((part) => part.length > 0);
  const own = namedRoutes(text).map(segments);
  const scored = evidence.opened
    .filter((file) => file.area === 'api')
    .map((file) => {
      const named = own.some(([first]) => first !== undefined && stemSet(file.path).has(stem(first))) ? 0.5 : 0;
      const common = file.routes.flatMap(({ route }) =>
        own
          .map((parts) => parts.findIndex((part, i) => segments(route)[i] !== part))
          .map((at, i) => (at < 0 ? (own[i]?.length ?? 0) : at)),
      );
      return { file, score: Math.max(0, ...common) + named };
    })
    .filter((entry) => entry.score >= 1);
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 1)
    .map((entry) => entry.file);
}

const TYPES = /\b(typings?|type definitions?|type declarations?|typescript|\.d\.ts)\b/i;

/** Where a package declares its types beside its code. */
function declarations(asked: Asked, evidence: Evidence): Target[] {
  const all = [...evidence.paths].filter((path) => /\.d\.[cm]?ts$/.test(path) && !isTest(path));
  const about = new Set([...asked.stems, ...evidence.opened.slice(0, 3).flatMap((file) => [...stemSet(file.path)])]);
  const shared = (path: string): number => [...stemSet(path)].filter((word) => about.has(word)).length;
  const best = all.sort(
    (a, b) => shared(b) - shared(a) || a.split('/').length - b.split('/').length || (a < b ? -1 : 1),
  )[0];
  return best === undefined ? [] : [{ path: best, state: 'existing' }];
}

/** How many of the names in code spans of a text stand in the file. */
function namedIn(text: string, file: Opened): number {
  const names = [...text.matchAll(/`([^`\n]{3,80})`/g)].map(
    (match) => (match[1] ?? '').replace(/\(.*$/, '').split('.').at(-1) ?? '',
  );
  return names.filter((name) => name.length > 2 && file.text.includes(name)).length;
}

/** Files of a requirement, its main one first, and the area of its work. */
export function targetsOf(asked: Asked, evidence: Evidence): { area: Area; targets: Target[] } {
  const { text } = asked.requirement;
  const named = namedPaths(text, evidence);
  const main = named[0];
  const worded = wordedArea(text, evidence);
  if (main) {
    const every = named.every((target) => areaOf(target.path) === 'docs' || areaOf(target.path) === 'config');
    const plain = named.find((target) => !['docs', 'test'].includes(areaOf(target.path)));
    return {
      area: every ? areaOf(main.path) : areaOf((plain ?? main).path),
      targets: plain ? unique([plain, ...named]) : named,
    };
  }
  const owners = evidence.opened.filter(
    (file) =>
      file.area !== 'docs' &&
      !isApplied(file.path) &&
      file.definitions.some((definition) => text.includes(`\`${definition.name}\``)),
  );
  const declared = TYPES.test(text) ? declarations(asked, evidence) : [];
  const routed = worded === 'docs' ? [] : routeFiles(text, evidence);
  const top = Math.max(...evidence.opened.map((file) => file.score), Number.MIN_VALUE);
  const scored = evidence.opened
    .filter(
      (file) =>
        file.area !== 'test' &&
        !isApplied(file.path) &&
        (worded === 'docs' ? file.area === 'docs' : file.area !== 'docs'),
    )
    .map((file) => ({
      file,
      score:
        (relevance(file, asked.stems) + 2 * namedIn(text, file)) *
        (worded !== null && file.area === worded ? 1.6 : 1) *
        // What speaks of the whole item is more likely than what shares a word with one of its sentences.
        (0.4 + 0.6 * (file.score / top)),
    }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
  const best = scored[0];
  const close = scored.filter((entry) => best !== undefined && entry.score >= best.score * 0.8).slice(0, 2);
  const files: Opened[] = [...routed, ...owners, ...close.map((entry) => entry.file)];
  const targets = unique([
    ...declared,
    ...files.slice(0, 3).map((file): Target => ({ path: file.path, state: 'existing' })),
  ]).slice(0, 3);
  if (targets.length === 0 && evidence.opened.length > 0) {
    // Nothing speaks of it: the file that speaks most of the item is the best guess there is.
    const nearest =
      evidence.opened.find((file) => file.area !== 'docs' && file.area !== 'test' && !isApplied(file.path)) ??
      evidence.opened[0];
    if (nearest) targets.push({ path: nearest.path, state: 'existing' });
  }
  const area = worded ?? (targets[0] ? areaOf(targets[0].path) : 'logic');
  return { area, targets };
}

/** A file's base name without extension and test marks. */
function baseOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace(/[._-](test|spec)$|^test_/, '');
}

/** How many folders two paths have in common, wherever they stand in them: tests often mirror what they test. */
function nearness(a: string, b: string): number {
  const folders = new Set(b.split('/').slice(0, -1));
  const own = a.split('/').slice(0, -1);
  return own.filter((part) => folders.has(part)).length - own.filter((part) => !folders.has(part)).length / 10;
}

/** The test of a code file: an existing one with its name, else a new one where and how the repository keeps its tests. */
export function testFor(path: string, evidence: Evidence): Target | null {
  const tests = [...evidence.paths].filter((candidate) => isTest(candidate) && /\.\w+$/.test(candidate)).sort();
  const base = baseOf(path);
  tests.sort((a, b) => nearness(b, path) - nearness(a, path) || (a < b ? -1 : 1));
  const own = tests.find((candidate) => baseOf(candidate) === base);
  if (own) return { path: own, state: 'existing' };
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const model = tests.find(
    (candidate) =>
      candidate.endsWith(`.${extension}`) && /([._-](test|spec)\.\w+$)|((^|\/)test_[^/]+$)/.test(candidate),
  );
  if (model === undefined) return null;
  const name = (model.split('/').at(-1) ?? '').replace(baseOf(model), base);
  // Tests that lie beside their sources stay so; a tests folder takes them by name.
  const folder = /(^|\/)(tests?|__tests__|specs?)\//.test(model)
    ? model.slice(0, model.lastIndexOf('/'))
    : path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const target = folder === '' ? name : `${folder}/${name}`;
  return evidence.paths.has(target) ? { path: target, state: 'existing' } : { path: target, state: 'new' };
}

/** The next numbered migration, named after the topic; null where the repository keeps none. */
export function nextMigration(topic: string, evidence: Evidence): Target | null {
  const numbered = [...evidence.paths]
    .map((path) => ({ path, match: /^(.*(?:migrations?|migrate)\/)(\d{2,6})([_-])[^/]*\.(\w+)$/i.exec(path) }))
    .filter((entry) => entry.match !== null);
  const last = numbered.sort((a, b) => Number(a.match?.[2]) - Number(b.match?.[2])).at(-1)?.match;
  if (!last) return null;
  const [, folder = '', digits = '', joint = '_', extension = 'sql'] = last;
  const number = String(Number(digits) + 1).padStart(digits.length, '0');
  const english = words(topic)
    .filter((word) => /^[a-z]/.test(word))
    .slice(0, 3)
    .join(' ');
  return {
    path: `${folder}${number}${joint}${slug(english || 'change', 30).replaceAll('-', joint)}.${extension}`,
    state: 'new',
  };
}

/** Whether a requirement makes something that must be kept: it says so, or it creates by a call the code does not have. */
export function needsStorage(asked: Asked, evidence: Evidence): boolean {
  const known = new Set(evidence.opened.flatMap((file) => file.routes.map((route) => route.route)));
  const creates = namedRoutes(asked.requirement.text).some((route) => /^(POST|PUT)/.test(route) && !known.has(route));
  return creates || STORES.test(prose(asked.requirement.text));
}
