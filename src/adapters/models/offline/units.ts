/** Units of work: requirements grouped by topic and area, with their files, criteria and the way to check them. */
import type { Unit } from '../../../domain/workplan/schema.ts';
import type { Settled } from './answers.ts';
import { type Area, areaOf } from './code-facts.ts';
import { bestDefinition, type Evidence, relevance } from './evidence.ts';
import type { Language } from './language.ts';
import { orderUnits, rankOf, type Sketch } from './order.ts';
import { planTexts } from './plan-texts.ts';
import type { Asked, Reading } from './requirements.ts';
import {
  namedPaths,
  namedRoutes,
  needsStorage,
  nextMigration,
  type Target,
  targetsOf,
  testFor,
  unique,
} from './targets.ts';
import { overlap, quote, shared, similarity } from './text.ts';
import { firstClause, imperative } from './titles.ts';

interface Group extends Sketch {
  topic: string;
  /** It prepares what another group offers. */
  support?: boolean;
}

const GROUP_LIMIT = 4;
const MAX_UNITS = 14;

function clean(topic: string): string {
  return topic.replace(/^\d+[.)]\s*/, '');
}

/** Groups of requirements that are done together: one area of one topic. Criteria join the group that they are about. */
function group(requirements: Asked[], evidence: Evidence): Group[] {
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
  return split.slice(0, MAX_UNITS);
}

function isDocumenting(one: Asked, evidence: Evidence): boolean {
  const named = namedPaths(one.requirement.text, evidence);
  return named.length > 0 && named.every((target) => areaOf(target.path) === 'docs');
}

function closest(one: Asked, targets: Target[], groups: Group[]): Group | undefined {
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
function withStorage(groups: Group[], evidence: Evidence, title: string): Group[] {
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

/** A real item has at least three units: the layers of the code that carry it, its requirements one by one, its tests and documents. */
function atLeastThree(groups: Group[], evidence: Evidence): Group[] {
  const all = [...groups];
  const wanted = all.flatMap((one) => one.covers);
  if (wanted.length === 0) return all;
  const used = () => new Set(all.flatMap((one) => one.files.map((file) => file.path)));
  const support = (area: Area, path: string, state: Target['state'], covers: Asked) =>
    all.push({ area, topic: '', covers: [covers], files: [{ path, state }], support: true });
  const best = evidence.opened[0]?.score ?? 0;
  for (const file of evidence.opened) {
    if (all.length >= 3) return all;
    if (file.score < best * 0.35 || !['data', 'logic', 'api', 'ui'].includes(file.area) || /migrat/i.test(file.path))
      continue;
    if (used().has(file.path) || all.some((one) => one.area === file.area)) continue;
    const nearest = [...wanted].sort((a, b) => relevance(file, b.stems) - relevance(file, a.stems))[0];
    if (nearest) support(file.area, file.path, 'existing', nearest);
  }
  for (
    let large = all.find((one) => one.covers.length > 1);
    all.length < 3 && large;
    large = all.find((one) => one.covers.length > 1)
  ) {
    const last = large.covers.at(-1) as Asked;
    const { area, targets } = targetsOf(last, evidence);
    large.covers = large.covers.slice(0, -1);
    all.push({ area, topic: large.topic, covers: [last], files: targets.length > 0 ? targets : large.files });
  }
  const first = wanted[0] as Asked;
  const test = testFor(all[0]?.files[0]?.path ?? '', evidence);
  if (all.length < 3 && test && !used().has(test.path)) support('test', test.path, test.state, first);
  const readme = ['README.md', 'README.rst', 'README', 'docs/README.md'].find((path) => evidence.paths.has(path));
  if (all.length < 3 && !used().has(readme ?? 'README.md'))
    support('docs', readme ?? 'README.md', readme ? 'existing' : 'new', first);
  return all;
}

function title(one: Group, first: string, item: string, language: Language): string {
  const works = one.covers.filter((asked) => !asked.criterion);
  const whole = /^expected: /i.test(first) ? `Fix: ${item}` : imperative(first, language);
  const order =
    (one.support ? null : whole) ??
    planTexts(language).unitTitle(
      one.area,
      quote(whole ? whole.charAt(0).toLowerCase() + whole.slice(1) : firstClause(first), 120),
    );
  const topic = works.length > 1 && one.topic !== '' ? `${clean(one.topic)}: ` : '';
  return quote(`${topic}${order}`.replace(/`/g, '').replace(/[.。:：]$/, ''), 180);
}

/** The units of a plan, in an order in which they can be done. */
export function buildUnits(
  reading: Reading,
  requirements: Asked[],
  evidence: Evidence,
  settled: Settled[],
  language: Language,
): Unit[] {
  const texts = planTexts(language);
  const works = requirements.filter((one) => !one.requirement.source.startsWith('answer:'));
  const base = works.length > 0 ? works : requirements;
  const groups = atLeastThree(withStorage(group(base, evidence), evidence, reading.title), evidence).filter(
    (one) => one.covers.length > 0,
  );
  for (const answer of requirements.filter((one) => !base.includes(one)))
    closest(answer, [], groups)?.covers.push(answer);
  for (const one of groups) {
    const tested =
      one.area === 'docs' || one.area === 'test'
        ? undefined
        : one.files.find(
            (file) => ['logic', 'api', 'data', 'ui'].includes(areaOf(file.path)) && /\.(?!sql)\w+$/.test(file.path),
          );
    const test = tested && testFor(tested.path, evidence);
    // Every unit shows by tests of its own that it works, unless its files already hold one.
    if (test && !one.files.some((file) => areaOf(file.path) === 'test')) one.files.push(test);
  }
  groups.sort((a, b) => rankOf(a.area) - rankOf(b.area));
  createOnce(groups);
  const { dependsOn, parallelWith } = orderUnits(groups);
  return groups.map((one, index) => {
    const ids = one.covers.map((asked) => asked.requirement.id);
    const first = one.covers.find((asked) => !asked.criterion) ?? one.covers[0];
    const firstText = quote(first?.requirement.text ?? reading.title, 300);
    const about = new Set(one.covers.flatMap((asked) => [...asked.stems]));
    const places = one.files.flatMap((file) => {
      const opened = evidence.opened.find((other) => other.path === file.path);
      const best = opened && opened.area !== 'docs' && opened.area !== 'test' ? bestDefinition(opened, about) : null;
      return best
        ? [
            texts.place(
              best.definition.name,
              file.path,
              best.definition.startLine,
              best.definition.endLine,
              quote(best.comment, 160),
            ),
          ]
        : [];
    });
    const made = one.files.filter((file) => file.state === 'new').map((file) => texts.newFile(file.path));
    const held = settled
      .filter((other) => bestGroup(other, groups) === one)
      .map((other) => texts.decisionHolds(quote(other.decision.text, 600)));
    const criteria = one.covers
      .filter((asked) => !asked.requirement.source.startsWith('answer:'))
      .map((asked) => `${asked.requirement.id}: ${quote(asked.requirement.text, 500)}`);
    return {
      id: `U${index + 1}`,
      title: title(one, firstText, reading.title, language),
      why: quote([texts.why(ids, firstText), ...places.slice(0, 3), ...made].join(' '), 1900),
      files: one.files.slice(0, 12),
      dependsOn: (dependsOn[index] ?? []).map((other) => `U${other + 1}`),
      parallelWith: (parallelWith[index] ?? []).map((other) => `U${other + 1}`),
      covers: [...new Set(ids)],
      acceptance: [...criteria, ...held].slice(0, 40),
      verify: verifyOf(one, evidence, language),
      size: sizeOf(one),
    };
  });
}

/** The first unit that names a new file creates it; those after it, which depend on it for that file, change it. */
function createOnce(groups: Group[]): void {
  const made = new Set<string>();
  for (const one of groups) {
    one.files = one.files.map((file) =>
      file.state === 'new' && made.has(file.path) ? { ...file, state: 'existing' } : file,
    );
    for (const file of one.files) if (file.state === 'new') made.add(file.path);
  }
}

function closeness(one: Asked, settled: Settled): number {
  return shared(one.stems, settled.about).length / Math.sqrt(Math.max(1, one.stems.size));
}

function bestGroup(settled: Settled, groups: Group[]): Group | undefined {
  const asked = groups
    .flatMap((one) => one.covers)
    .find((one) => one.requirement.source === `answer:${settled.decision.questionId}`);
  if (asked) return groups.find((one) => one.covers.includes(asked));
  const scored = groups.map((one) => ({
    one,
    score:
      Math.max(...one.covers.map((other) => closeness(other, settled))) *
      (['docs', 'data'].includes(one.area) ? 0.5 : 1),
  }));
  return scored.sort((a, b) => b.score - a.score)[0]?.one;
}

function verifyOf(one: Group, evidence: Evidence, language: Language): string[] {
  const texts = planTexts(language);
  const tests = one.files.filter((file) => areaOf(file.path) === 'test').map((file) => file.path);
  const steps: string[] = [];
  const command = evidence.commands[0];
  if (one.area === 'docs') steps.push(texts.reread(one.files.map((file) => file.path).slice(0, 5)));
  else if (command !== undefined) steps.push(texts.run(command, tests.slice(0, 3)));
  for (const other of one.area === 'docs' ? [] : evidence.commands.slice(1, 3)) steps.push(texts.run(other, []));
  const routes = one.covers.flatMap((asked) => namedRoutes(asked.requirement.text));
  if (one.area !== 'docs') for (const route of [...new Set(routes)].slice(0, 3)) steps.push(texts.call(route));
  const criterion = one.covers.find((asked) => asked.criterion) ?? one.covers[0];
  if (steps.length === 0 && criterion) steps.push(texts.byHand(quote(criterion.requirement.text, 300)));
  return steps;
}

function sizeOf(one: Group): Unit['size'] {
  const weight = one.files.length + one.covers.length;
  if (one.area === ('docs' satisfies Area)) return 'S';
  return weight <= 4 ? 'S' : weight <= 11 ? 'M' : 'L';
}
