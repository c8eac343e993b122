/** What the item and the repository together say; research and planning begin with the same reading. */
import type { Research, Workplan } from '../../../domain/workplan/schema.ts';
import { applyDecisions, settle } from './answers.ts';
import { areaOf } from './code-facts.ts';
import type { Work } from './conversation.ts';
import type { Draft } from './draft.ts';
import { type Evidence, gather } from './evidence.ts';
import { findingsOf, relevantFindings } from './findings.ts';
import { type Language, languageOf } from './language.ts';
import { planTexts } from './plan-texts.ts';
import { draftQuestions } from './questions.ts';
import { concreteStems, type Reading, readRequirements } from './requirements.ts';
import { quote } from './text.ts';
import { type Asked, type Item, type ItemReading, readItem } from './tool-data.ts';
import { buildUnits } from './units.ts';

export interface Study {
  item: Item;
  asked: Asked[];
  reading: Reading;
  evidence: Evidence;
  drafts: Draft[];
  language: Language;
  cut: boolean;
}

/** Reads the item, then the code. `task` stands in for the item where there is none (a piece run without GitLab). */
export function* study(task: string): Work<Study> {
  const read: ItemReading = yield* readItem();
  const item = read.item ?? {
    reference: '',
    title: quote(task.split('\n')[0] ?? '', 200) || 'Task',
    description: task.slice(0, 20_000),
    labels: [],
  };
  const language = languageOf(`${item.title}\n${item.description}`);
  const reading = readRequirements(item, read.notes);
  const evidence = yield* gather(item, reading);
  return {
    item,
    asked: read.asked,
    reading,
    evidence,
    drafts: draftQuestions(reading, evidence, language),
    language,
    cut: read.cut,
  };
}

/** What a person must add before the item can be researched; null when it says enough. */
export function missingContext({ reading, evidence, language, item }: Study): string[] | null {
  if (!reading.vague) return null;
  const texts = planTexts(language);
  const all = `${item.title} ${item.description}`;
  const missing: string[] = [];
  if (!/\b(so that|in order to|because|as an? )\b|ため|目的/i.test(all)) missing.push(texts.missingGoal);
  missing.push(texts.missingBehaviour);
  if (!/\d/.test(item.description) && !reading.requirements.some((one) => one.criterion))
    missing.push(texts.missingAcceptance);
  if (reading.names.length === 0 && (evidence.ranked.length === 0 || concreteStems(all).length < 6))
    missing.push(texts.missingPlace);
  return missing;
}

export function researchFrom(found: Study): Research {
  const texts = planTexts(found.language);
  const { requirements, findings, risks, assumptions } = base(found);
  const files = found.evidence.opened.filter((file) => file.area !== 'docs' && file.area !== 'test').slice(0, 4);
  return {
    summary: texts.summary(
      found.reading.title || 'Item',
      requirements.length,
      files.map((file) => `\`${file.path}\``),
    ),
    requirements: requirements.map((one) => one.requirement),
    findings,
    risks,
    assumptions,
  };
}

function base(found: Study) {
  const texts = planTexts(found.language);
  const settled = settle(found.asked, found.drafts, found.language);
  const { requirements, dropped } = applyDecisions(found.reading, found.drafts, settled);
  // A vague item in a piece that has no way to say so is still worked on: its title is what is asked for.
  const title = {
    requirement: { id: 'R1', text: found.reading.title || 'The item', source: 'description' },
    topic: '',
    criterion: false,
    stems: new Set(concreteStems(found.reading.title)),
  };
  const all = requirements.length > 0 ? requirements : [title];
  const unconfirmed = settled.filter((one) => !one.decision.confirmed);
  const risks = [
    ...settled.flatMap((one) => (one.conflict === null ? [] : [one.conflict])),
    ...(unconfirmed.length > 0 ? [texts.unconfirmed(unconfirmed.length)] : []),
    ...(found.evidence.opened.length === 0
      ? [texts.noFiles]
      : found.evidence.opened.some((file) => file.area === 'test')
        ? []
        : [texts.noTests]),
    ...(found.cut ? [texts.cut] : []),
  ].map((risk) => quote(risk, 900));
  return {
    settled,
    requirements: all,
    dropped,
    risks,
    findings: findingsOf(all, found.evidence, found.language),
    assumptions: unconfirmed.map((one) => quote(one.decision.text, 900)),
  };
}

export function planFrom(found: Study): Workplan {
  const texts = planTexts(found.language);
  const { settled, requirements, dropped, findings, ...known } = base(found);
  const units = buildUnits(found.reading, requirements, found.evidence, settled, found.language);
  // A test that a unit names will show a regression, also one that was not opened.
  const tested = units.some((unit) =>
    unit.files.some((file) => file.state === 'existing' && areaOf(file.path) === 'test'),
  );
  const risks = known.risks.filter((risk) => !tested || risk !== texts.noTests);
  const touched = new Map<string, string[]>();
  for (const unit of units)
    for (const file of unit.files) touched.set(file.path, [...(touched.get(file.path) ?? []), unit.id]);
  const busiest = [...touched.entries()]
    .filter(([, ids]) => ids.length > 1)
    .sort((a, b) => b[1].length - a[1].length)[0];
  const unitRisks = [
    ...(busiest ? [texts.sharedFile(busiest[0], busiest[1])] : []),
    ...(units.some((unit) => unit.files.some((file) => /migrat/i.test(file.path))) ? [texts.migration] : []),
  ];
  const first = requirements
    .filter((one) => !one.criterion)
    .slice(0, 2)
    .map((one) => one.requirement.text);
  return {
    goal: quote(texts.goal(found.reading.title, first), 1500) || 'Item',
    requirements: requirements.map((one) => one.requirement),
    findings: relevantFindings(findings, new Set(touched.keys())),
    decisions: settled.map((one) => one.decision),
    units,
    outOfScope: [...found.reading.outOfScope, ...dropped.map((text) => texts.superseded(quote(text, 600)))].slice(
      0,
      40,
    ),
    risks: [...risks, ...unitRisks].slice(0, 20),
    openQuestions: settled
      .filter((one) => !one.decision.confirmed && one.decision.questionId !== undefined)
      .map((one) =>
        quote(found.asked.find((asked) => asked.id === one.decision.questionId)?.question ?? one.decision.text, 900),
      ),
  };
}
