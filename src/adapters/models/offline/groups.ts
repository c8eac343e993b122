/** Grouping requirements into what is done together, and the groups that a plan needs besides. */
import { type Area, areaOf } from './code-facts.ts';
import { type Evidence, relevance } from './evidence.ts';
import type { Sketch } from './order.ts';
import type { Asked } from './requirements.ts';
import { namedPaths, needsStorage, nextMigration, type Target, targetsOf, unique } from './targets.ts';
import { overlap, similarity } from './text.ts';

export interface Group extends Sketch {
  topic: string;
  /** It prepares what another group offers. */
  support?: boolean;
}

const GROUP_LIMIT = 4;
const MAX_UNITS = 14;

/** Groups of requirements that are done together: one area of one topic. Criteria join the group that they are about. */
export function group(requirements: Asked[], evidence: Evidence): Group[] {
  const groups = new Map<string, Group>();
  // "docs/api.md describes the calls" stands among the criteria, but is work of its own.
  const works = requirements.filter((one) => !one.criterion || isDocumenting(one, evidence));
  const main = works.length > 0 ? works : requirements;
  const wide = new Set(main.map((one) => one.topic)).size > 2;
  for (const one of main) {
    const { area, targets } = targetsOf(one, evidence);
    // Documents, data and settings are changed together whatever they are about; the rest follows the item's own headings.
    const topic = wide && !['docs', 'data', 'config'].includes(area) ? one.topic : '';
    const key = wide && topic !== '' ? topic : area;
    const known = groups.get(key);
    if (known) {
      known.covers.push(one);
      known.files = unique([...known.files, ...targets]);
    } else groups.set(key, { area: topic === '' ? area : 'logic', topic, covers: [one], files: targets });
  }
  const split = [...groups.values()].flatMap((one) =>
    one.covers.length > GROUP_LIMIT && one.area !== 'docs' ? divide(one, evidence) : [one],
  );
  for (const one of requirements.filter((other) => !main.includes(other))) {
    const own = targetsOf(one, evidence);
    const home = closest(one, own.targets, split);
    if (home === undefined) continue;
    home.covers.push(one);
    const explicit = own.targets.filter((target) => one.requirement.text.includes(target.path));
    home.files = unique([...home.files, ...explicit]);
  }
  for (const one of split.filter((other) => other.area === 'docs')) {
    // Where the item names the page, others that were guessed are not meant.
    const named = one.files.filter((file) => one.covers.some((asked) => asked.requirement.text.includes(file.path)));
    if (named.length > 0) one.files = named;
  }
  return split.slice(0, MAX_UNITS);
}

function isDocumenting(one: Asked, evidence: Evidence): boolean {
  const named = namedPaths(one.requirement.text, evidence);
  return named.length > 0 && named.every((target) => areaOf(target.path) === 'docs');
}

export function closest(one: Asked, targets: Target[], groups: Group[]): Group | undefined {
  let best: { group: Group; score: number } | undefined;
  for (const candidate of groups) {
    const words = Math.max(
      ...candidate.covers.map((other) => overlap(other.stems, one.stems) + 0.5 * similarity(other.stems, one.stems)),
    );
    // A file that the text names says more than one that was guessed from its words.
    const files = targets
      .filter((target) => candidate.files.some((file) => file.path === target.path))
      .reduce((sum, target) => sum + (one.requirement.text.includes(target.path) ? 0.8 : 0.3), 0);
    const elsewhere = targets[0] === undefined || areaOf(targets[0].path) !== 'docs';
    const docs = candidate.area === 'docs' && elsewhere ? 0.8 : 0;
    const score = words + files - docs;
    if (best === undefined || score > best.score) best = { group: candidate, score };
  }
  return best?.group;
}

/** A large group becomes one for each main file, small rests joined to their nearest. */
function divide(whole: Group, evidence: Evidence): Group[] {
  const parts = new Map<string, Group>();
  for (const one of whole.covers) {
    const { area, targets } = targetsOf(one, evidence);
    const key = targets[0]?.path ?? '';
    const known = parts.get(key);
    if (known) {
      known.covers.push(one);
      known.files = unique([...known.files, ...targets]);
    } else parts.set(key, { area, topic: whole.topic, covers: [one], files: targets });
  }
  const all = [...parts.values()].sort((a, b) => b.covers.length - a.covers.length);
  const kept = all.slice(0, 4);
  for (const rest of all.slice(4)) {
    const home = closest(rest.covers[0] as Asked, rest.files, kept) ?? kept[0];
    home?.covers.push(...rest.covers);
    if (home) home.files = unique([...home.files, ...rest.files]);
  }
  return kept;
}

/** Adds the layer that keeps what the item creates, where the code has such a layer and no group works there yet. */
export function withStorage(groups: Group[], evidence: Evidence, title: string): Group[] {
  const keeper = groups.flatMap((one) => one.covers).find((one) => needsStorage(one, evidence));
  const has = groups.some((one) => one.files.some((file) => file.state === 'new' && /migrat/i.test(file.path)));
  const migration = nextMigration(title, evidence);
  if (keeper === undefined || has || migration === null) return groups;
  const data = groups.find((one) => one.area === 'data');
  if (data) {
    data.files = unique([...data.files, migration]);
    return groups;
  }
  const store = evidence.opened.find((file) => file.area === 'data' && !/migrat/i.test(file.path));
  const files: Target[] = [migration, ...(store ? [{ path: store.path, state: 'existing' as const }] : [])];
  return [{ area: 'data', topic: '', covers: [keeper], files, support: true }, ...groups];
}

/**
 * A real item has at least three units: the layers of the code that carry it, its requirements one by one, its documents. One of one or
 * two requirements has as many as it needs.
 */
export function atLeastThree(groups: Group[], evidence: Evidence): Group[] {
  const all = [...groups];
  const wanted = all.flatMap((one) => one.covers);
  if (wanted.length === 0) return all;
  const works = new Set(wanted.filter((one) => !one.criterion).map((one) => one.requirement.id)).size;
  if (works < 4) return documented(all, evidence);
  const used = () => new Set(all.flatMap((one) => one.files.map((file) => file.path)));
  const support = (area: Area, path: string, state: Target['state'], covers: Asked) =>
    all.push({ area, topic: '', covers: [covers], files: [{ path, state }], support: true });
  const best = evidence.opened[0]?.score ?? 0;
  for (const file of evidence.opened) {
    if (all.length >= 3) return all;
    if (file.score < best * 0.5 || !['data', 'logic', 'api', 'ui'].includes(file.area) || /migrat/i.test(file.path))
      continue;
    if (used().has(file.path) || all.some((one) => one.area === file.area)) continue;
    const nearest = [...wanted].sort((a, b) => relevance(file, b.stems) - relevance(file, a.stems))[0];
    if (nearest) support(file.area, file.path, 'existing', nearest);
  }
  for (let large = splittable(all, evidence); all.length < 3 && large; large = splittable(all, evidence)) {
    const { group: whole, last } = large;
    const { area, targets } = targetsOf(last, evidence);
    whole.covers = whole.covers.filter((one) => one !== last);
    all.push({ area, topic: whole.topic, covers: [last], files: targets.length > 0 ? targets : whole.files });
  }
  const first = wanted[0] as Asked;
  const readme = ['README.md', 'README.rst', 'README', 'docs/README.md'].find((path) => evidence.paths.has(path));
  if (all.length < 3 && !used().has(readme ?? 'README.md'))
    support('docs', readme ?? 'README.md', readme ? 'existing' : 'new', first);
  return all;
}

/** With the document that speaks of it already, where no group changes one. */
function documented(groups: Group[], evidence: Evidence): Group[] {
  if (groups.length > 2 || groups.some((one) => one.area === 'docs')) return groups;
  const [first] = groups.flatMap((one) => one.covers);
  const names =
    first === undefined
      ? []
      : [...first.requirement.text.matchAll(/`([A-Za-z_$][\w$]{3,60})`/g)].map((match) => match[1] ?? '');
  const file = evidence.opened.find((one) => one.area === 'docs' && names.some((name) => one.text.includes(name)));
  if (first === undefined || file === undefined) return groups;
  const files: Target[] = [{ path: file.path, state: 'existing' }];
  return [...groups, { area: 'docs', topic: '', covers: [first], files, support: true }];
}

/** A group with more than one piece of work, and the one to part from it: of another file where there is one. */
function splittable(groups: Group[], evidence: Evidence): { group: Group; last: Asked } | null {
  for (const group of groups) {
    const works = group.covers.filter((one) => !one.criterion);
    if (works.length < 2) continue;
    const main = group.files[0]?.path;
    const last = works.findLast((one) => targetsOf(one, evidence).targets[0]?.path !== main);
    if (last) return { group, last };
  }
  return null;
}
