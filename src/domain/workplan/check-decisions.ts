/** Checks of decisions against the questions that were asked and answered. Problems name place and remedy. */
import type { PlanFacts } from './plan-facts.ts';
import type { Workplan } from './schema.ts';

export function unaskedDecisions(plan: Workplan, facts: PlanFacts): string[] {
  return plan.decisions.flatMap(({ questionId }, index) =>
    questionId === undefined || facts.asked.has(questionId)
      ? []
      : [
          `decisions[${index}], questionId: no question ${questionId} was asked; name one that was, or leave questionId out.`,
        ],
  );
}

export function unansweredDecisions(plan: Workplan, facts: PlanFacts): string[] {
  return plan.decisions.flatMap(({ questionId, confirmed }, index) => {
    if (!confirmed || (questionId !== undefined && facts.answered.has(questionId))) return [];
    const why = questionId === undefined ? 'it names no question' : `nobody eligible answered ${questionId}`;
    return [`decisions[${index}], confirmed: ${why}; set confirmed to false.`];
  });
}

/** A question is answered or it is not: it cannot be both in one plan. */
export function contradictingDecisions(plan: Workplan): string[] {
  const first = new Map<string, { index: number; confirmed: boolean }>();
  const told = new Set<string>();
  return plan.decisions.flatMap(({ questionId, confirmed }, index) => {
    if (questionId === undefined) return [];
    const known = first.get(questionId);
    if (known === undefined) first.set(questionId, { index, confirmed });
    if (known === undefined || known.confirmed === confirmed || told.has(questionId)) return [];
    told.add(questionId);
    return [
      `decisions[${index}], confirmed: decisions[${known.index}] on the same question ${questionId} says confirmed ${known.confirmed}, this one ${confirmed}; keep one, or leave questionId out of what is an assumption of its own.`,
    ];
  });
}

/** A person's answer is never lost, and what was assumed in its place is always said (spec 2: Questions and replies). */
export function undecidedQuestions(plan: Workplan, facts: PlanFacts): string[] {
  return [...facts.asked].flatMap((id) => {
    const own = plan.decisions.filter((decision) => decision.questionId === id);
    const answered = facts.answered.has(id);
    if (own.some(({ confirmed }) => confirmed === answered)) return [];
    const what = answered
      ? `${id} was answered; add a decision that says what was answered, with this questionId and confirmed true.`
      : `nobody eligible answered ${id}; add the recommended answer as a decision with this questionId and confirmed false.`;
    return [`decisions: ${what}`];
  });
}
