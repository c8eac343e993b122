/** Answers become confirmed decisions, silence becomes the recommendation, not confirmed; both shape the requirements. */
import type { Decision } from '../../../domain/workplan/schema.ts';
import { contradictionsIn } from './contradictions.ts';
import type { Draft } from './draft.ts';
import type { Language } from './language.ts';
import { planTexts } from './plan-texts.ts';
import { idOf, toQuestion } from './questions.ts';
import type { Reading, Asked as Requirement } from './requirements.ts';
import { overlap, quote, stemSet } from './text.ts';
import type { Asked } from './tool-data.ts';

export interface Settled {
  decision: Decision;
  /** The option's label or the person's words. */
  choice: string;
  about: Set<string>;
  /** Set when people contradicted each other. */
  conflict: string | null;
}

const POWER = ['owner', 'maintainer', 'developer', 'planner', 'reporter'];

function rankOf(role: string): number {
  const rank = POWER.indexOf(role.toLowerCase());
  return rank < 0 ? POWER.length : rank;
}

function recommendedOf(question: {
  options: { label: string; recommended: boolean }[];
  recommendation: string;
}): string {
  const labels = question.options.filter((option) => option.recommended).map((option) => option.label);
  return labels.length > 0 ? labels.join(', ') : question.recommendation;
}

/** What a question is about; how long something lives is about its end, whatever word the item has for it. */
function aboutOf(question: string): Set<string> {
  return stemSet(
    /how long|期間|いつまで|何日/i.test(question) ? `${question} expire stop keep retention valid` : question,
  );
}

function settleOne(asked: Asked, language: Language): Settled {
  const texts = planTexts(language);
  const about = aboutOf(asked.question);
  const labelOf = (id: string) => asked.options.find((option) => option.id === id)?.label ?? id;
  const said = asked.answers
    .map((answer) => ({
      by: answer.by,
      role: answer.role,
      choice: [...answer.optionIds.map(labelOf), ...(answer.text ? [quote(answer.text, 300)] : [])],
    }))
    .map((answer) => ({ ...answer, choice: [...new Set(answer.choice)].filter((part) => part.length > 0) }))
    .filter((answer) => answer.choice.length > 0)
    .sort((a, b) => rankOf(a.role) - rankOf(b.role));
  const [first] = said;
  const question = quote(asked.question, 400);
  const [refused] = asked.answers;
  // Whoever took none of the options and gave no words has decided that much.
  if (first === undefined && refused !== undefined) {
    const choice = texts.noneOfThem;
    return {
      decision: { text: texts.decided(question, choice, refused.by), questionId: asked.id, confirmed: true },
      choice,
      about,
      conflict: null,
    };
  }
  if (first === undefined) {
    const choice = quote(recommendedOf(asked), 400) || texts.asToday;
    return {
      decision: { text: texts.assumed(question, choice), questionId: asked.id, confirmed: false },
      choice,
      about,
      conflict: null,
    };
  }
  // What a reply says in its own words is shown only beside an option it does not merely repeat.
  const [label = '', ...words] = first.choice;
  const choice = asked.answers.some((answer) => answer.optionIds.length > 0) ? label : [label, ...words].join(' ');
  const others = said.filter((answer) => answer.choice[0] !== label);
  const conflict =
    others.length === 0
      ? null
      : texts.answersConflict(
          question,
          [first, ...others].map((answer) => `${answer.by}: ${answer.choice[0]}`),
        );
  return {
    decision: { text: texts.decided(question, choice, first.by), questionId: asked.id, confirmed: true },
    choice,
    about,
    conflict,
  };
}

/** Every question that was asked, and every doubt that could not be asked (a run without people), as decisions. */
export function settle(asked: Asked[], drafts: Draft[], language: Language): Settled[] {
  const texts = planTexts(language);
  const settled = asked.map((one) => settleOne(one, language));
  for (const draft of drafts) {
    const question = toQuestion(draft);
    const own = stemSet(question.question);
    if (asked.some((one) => one.id === question.id || overlap(stemSet(one.question), own) >= 0.7)) continue;
    if (settled.length >= 40) break;
    const choice = recommendedOf(question);
    settled.push({
      decision: { text: texts.assumed(question.question, choice), confirmed: false },
      choice,
      about: aboutOf(question.question),
      conflict: null,
    });
  }
  return settled;
}

/** The requirements as the decisions leave them: of two that contradict each other the chosen one holds, answers add their own. */
export function applyDecisions(
  reading: Reading,
  drafts: Draft[],
  settled: Settled[],
): { requirements: Requirement[]; dropped: string[] } {
  let requirements = [...reading.requirements];
  const dropped: string[] = [];
  const contradictions = contradictionsIn(reading.requirements);
  for (const contradiction of contradictions) {
    const draft = drafts.find(
      (one) =>
        one.kind === contradiction.kind &&
        one.about === `${contradiction.a.requirement.text} ${contradiction.b.requirement.text}`,
    );
    if (draft === undefined) continue;
    const id = idOf(draft);
    const answer =
      settled.find((one) => one.decision.questionId === id) ??
      settled.find((one) => overlap(one.about, stemSet(toQuestion(draft).question)) >= 0.7);
    if (answer === undefined) continue;
    const { a, b, aSays, bSays } = contradiction;
    const picks = (says: string) => answer.choice === quote(says, 190) || answer.choice === quote(says, 180);
    const loser = picks(aSays) ? b : picks(bSays) ? a : null;
    if (loser === null) continue;
    const [from, to] = loser === a ? [aSays, bSays] : [bSays, aSays];
    if (contradiction.kind === 'amount') {
      requirements = requirements.map((one) =>
        one === loser
          ? { ...one, requirement: { ...one.requirement, text: one.requirement.text.replace(from, to) } }
          : one,
      );
    } else if (requirements.length > 1) {
      requirements = requirements.filter((one) => one !== loser);
      dropped.push(loser.requirement.text);
    }
  }
  for (const one of settled) {
    const { questionId, confirmed } = one.decision;
    if (!confirmed || questionId === undefined || requirements.length >= 60) continue;
    requirements.push({
      requirement: { id: '', text: one.decision.text, source: `answer:${questionId}` },
      topic: '',
      criterion: true,
      stems: one.about,
    });
  }
  return {
    requirements: requirements.map((one, i) => ({ ...one, requirement: { ...one.requirement, id: `R${i + 1}` } })),
    dropped,
  };
}
