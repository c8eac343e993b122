/** Which questions a plan cannot do without (spec 2: Questions and replies): rare, each with options and one recommendation. */
import type { Question } from '../../../domain/workplan/schema.ts';
import { type Contradiction, contradictionsIn } from './contradictions.ts';
import type { Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { whereNamed } from './findings.ts';
import type { Language } from './language.ts';
import { openQuestion } from './open-points.ts';
import { policyQuestions } from './policies.ts';
import { questionTexts } from './question-texts.ts';
import type { Reading } from './requirements.ts';
import { overlap, quote, shortHash, slug, stemSet, words } from './text.ts';
import type { Asked } from './tool-data.ts';

const MAX_QUESTIONS = 5;

export function idOf(draft: Draft): string {
  const topic = words(draft.subject)
    .filter((word) => /^[a-z0-9]/.test(word))
    .slice(0, 4)
    .join('-');
  return `${slug(topic || draft.kind, 40)}-${shortHash(`${draft.kind} ${draft.subject.toLowerCase()}`)}`;
}

/** The draft as a question of the flow's shape. Option ids follow from the labels, so that they are stable too. */
export function toQuestion(draft: Draft): Question {
  const options = draft.options.slice(0, 4).map((option, index) => ({
    id: `${String.fromCharCode(97 + index)}-${slug(option.label, 30)}`,
    label: quote(option.label, 190),
    ...(option.description === undefined ? {} : { description: quote(option.description, 480) }),
    recommended: index === draft.recommended,
  }));
  return {
    id: idOf(draft),
    type: options.length > 1 ? 'closed' : 'open',
    question: quote(draft.question, 480),
    why: quote(draft.why, 1200),
    multiple: false,
    options: options.length > 1 ? options : [],
    recommendation: quote(draft.reason, 1200),
  };
}

/** Whether this was asked before: by its id, by its topic, or in other words. */
function wasAsked(question: Question, asked: Asked[]): boolean {
  const topic = (id: string) => id.replace(/-[a-z0-9]{6}$/, '');
  const own = stemSet(question.question);
  return asked.some(
    (one) =>
      one.id === question.id || topic(one.id) === topic(question.id) || overlap(stemSet(one.question), own) >= 0.7,
  );
}

function contradictionDraft(contradiction: Contradiction, evidence: Evidence, language: Language): Draft {
  const texts = questionTexts(language);
  const { kind, a, b, aSays, bSays } = contradiction;
  const said = (one: typeof a) => ({ says: quote(one.requirement.text, 300), source: one.requirement.source });
  const why = texts.conflictWhy(said(a), said(b));
  const subject = `${contradiction.subject.join(' ')} ${aSays} ${bSays}`;
  const about = `${a.requirement.text} ${b.requirement.text}`;
  const place = (one: typeof a) => `"${quote(one.requirement.text, 300)}" (${texts.source(one.requirement.source)})`;
  if (kind === 'amount') {
    const options = [
      { label: aSays, description: place(a) },
      { label: bSays, description: place(b) },
    ];
    const question = `${texts.amount({ says: aSays, source: '' }, { says: bSays, source: '' })} ${quote(a.requirement.text, 160)}`;
    const chosen = preferred(contradiction, evidence, language);
    return { kind, subject, question, why, options, about, ...chosen };
  }
  const element = hidden(a.requirement.text, b.requirement.text);
  const options = [
    { label: quote(aSays, 180), description: texts.source(a.requirement.source) },
    { label: quote(bSays, 180), description: texts.source(b.requirement.source) },
  ];
  const question = texts.conflict(quote(aSays, 200), quote(bSays, 200));
  if (kind === 'audience' && element !== null) {
    options.unshift({ label: texts.bothWithout(element), description: texts.bothWithoutMeans(element) });
    const place = placeOf(element.replaceAll('`', ''), about, evidence);
    const shown = place === null ? why : `${why} ${texts.inCode(element, place)}`;
    return { kind, subject, question, why: shown, options, about, recommended: 0, reason: texts.bothReason };
  }
  return {
    kind,
    subject,
    question,
    why,
    options,
    about,
    recommended: 1,
    reason: kind === 'audience' ? texts.restrictive : texts.forbid,
  };
}

/** Where the code that matters most names something, as `path:line`. */
function placeOf(name: string, about: string, evidence: Evidence): string | null {
  const file = whereNamed(name, stemSet(about), evidence);
  const line = file?.text.split('\n').findIndex((text) => text.includes(name)) ?? -1;
  return file && line >= 0 ? `\`${file.path}:${line + 1}\`` : null;
}

/** A part that only the narrower statement names, so that both can hold with the part hidden from the others. */
function hidden(open: string, closed: string): string | null {
  const span = /`([^`]+)`/.exec(closed)?.[0];
  return span !== undefined && !open.includes(span) ? span : null;
}

function preferred(
  contradiction: Contradiction,
  evidence: Evidence,
  language: Language,
): { recommended: number; reason: string } {
  const texts = questionTexts(language);
  const { a, b, aSays, bSays, subject } = contradiction;
  for (const [index, says] of [aSays, bSays].entries()) {
    const number = /\d[\d,.]*/.exec(says)?.[0]?.replaceAll(',', '');
    if (number === undefined) continue;
    for (const file of evidence.opened.filter((one) => one.area !== 'docs' && one.area !== 'test')) {
      const line = file.text.split('\n').findIndex((text) => {
        const own = stemSet(text);
        return (
          new RegExp(`(?<![\\d.])${number}(?![\\d.])`).test(text.replaceAll('_', '')) &&
          subject.some((word) => own.has(word))
        );
      });
      if (line >= 0) return { recommended: index, reason: texts.fromCode(says, `${file.path}:${line + 1}`) };
    }
  }
  const noted = [a, b].findIndex((one) => one.requirement.source.startsWith('note_'));
  if (noted >= 0) return { recommended: noted, reason: texts.fromNote([a, b][noted]?.requirement.source ?? '') };
  const values = [aSays, bSays].map((says) => Number(/\d[\d,.]*/.exec(says)?.[0]?.replaceAll(',', '') ?? Number.NaN));
  const smaller = (values[1] ?? Number.NaN) < (values[0] ?? Number.NaN) ? 1 : 0;
  return { recommended: smaller, reason: texts.stricter(smaller === 1 ? bSays : aSays) };
}

/** Everything doubtful about an item, most expensive first; asked before or not. */
export function draftQuestions(reading: Reading, evidence: Evidence, language: Language): Draft[] {
  const contradictions = contradictionsIn(reading.requirements).map((one) =>
    contradictionDraft(one, evidence, language),
  );
  const open = reading.open.map((point) => openQuestion(point, reading, evidence, language));
  return [...contradictions, ...open, ...policyQuestions(reading, evidence, language)];
}

/** The questions to ask now: at most five, never one that was asked. */
export function questionsToAsk(drafts: Draft[], asked: Asked[]): Question[] {
  const chosen: Question[] = [];
  for (const draft of drafts) {
    const question = toQuestion(draft);
    const repeats = chosen.some(
      (one) => one.id === question.id || overlap(stemSet(one.question), stemSet(question.question)) >= 0.85,
    );
    if (!repeats && !wasAsked(question, asked)) chosen.push(question);
    if (chosen.length === MAX_QUESTIONS) break;
  }
  return chosen;
}
