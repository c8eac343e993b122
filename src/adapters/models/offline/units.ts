/** Units of work: requirements grouped by topic and area, with their files, criteria and the way to check them. */
import type { Unit } from '../../../domain/workplan/schema.ts';
import type { Settled } from './answers.ts';
import { type Area, areaOf } from './code-facts.ts';
import { bestDefinition, type Evidence } from './evidence.ts';
import { atLeastThree, closest, type Group, group, withStorage } from './groups.ts';
import type { Language } from './language.ts';
import { orderUnits, rankOf } from './order.ts';
import { planTexts } from './plan-texts.ts';
import type { Asked, Reading } from './requirements.ts';
import { namedRoutes, testFor } from './targets.ts';
import { quote, shared } from './text.ts';
import { firstClause, imperative } from './titles.ts';

function clean(topic: string): string {
  return topic.replace(/^\d+[.)]\s*/, '');
}

function title(one: Group, first: string, item: string, language: Language): string {
  const works = one.covers.filter((asked) => !asked.criterion);
  const fixes =
    /^(expected: |this must no longer happen: )/i.test(first) ||
    one.covers.some((asked) => asked.requirement.source === 'title');
  const whole = fixes && language === 'en' ? `Fix: ${item}` : imperative(first, language);
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
  groups.sort((a, b) => rankOf(a.area) - rankOf(b.area));
  addTests(groups, evidence);
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

/** Every unit shows by tests of its own that it works, unless its files already hold one; a new test is made by one unit. */
function addTests(groups: Group[], evidence: Evidence): void {
  const made = new Set<string>();
  for (const one of groups) {
    if (one.area === 'docs' || one.area === 'test' || one.files.some((file) => areaOf(file.path) === 'test')) continue;
    const tests = one.files
      .filter((file) => ['logic', 'api', 'data', 'ui'].includes(areaOf(file.path)) && /\.(?!sql)\w+$/.test(file.path))
      .flatMap((file) => testFor(file.path, evidence) ?? []);
    const test = tests.find((candidate) => !made.has(candidate.path));
    if (test === undefined) continue;
    if (test.state === 'new') made.add(test.path);
    one.files.push(test);
  }
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
