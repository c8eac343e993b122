/**
 * A planner without any model (design: The model port): rules that really work on the item and the repository, which it sees by
 * tool calls alone. Deterministic and stateless: the same conversation gives the same reply, so a repeated call (D7) changes nothing.
 */
import type { ModelMessage } from '../../../domain/run/messages.ts';
import type { ModelPort, ModelReply, ModelRequest } from '../../../ports/model.ts';
import { type Assessment, assess } from './assess.ts';
import { promptIndex, replay, type Work } from './conversation.ts';
import { coverageOf, defectOf, examine, rubricOf, totalOf } from './evaluate.ts';
import { questionsToAsk } from './questions.ts';
import { confirmPaths } from './ranking.ts';
import { missingContext, planFrom, researchFrom, type Study, study } from './research.ts';
import { coverageReview, feasibilityReview, isBlocked } from './review.ts';
import { reviewTexts } from './review-texts.ts';
import { type OfferedTag, type Outcome, offeredTags, overlapping, tagFor } from './tags.ts';
import { evaluationsOf } from './tool-data.ts';

/** What a call ends with: words, data if a kind was asked for, and what they mean among the offered conditions. */
interface Result {
  text: string;
  data: { kind: string; value: unknown } | null;
  outcome: Outcome;
}

interface Situation {
  produces: string[];
  /** The movement's and the agent's name together, for piece-independent guesses. */
  who: string;
  prompt: string;
  tags: OfferedTag[];
}

export function createOfflineModel(): ModelPort {
  return { label: 'offline (rule-based)', complete };
}

async function complete(request: ModelRequest): Promise<ModelReply> {
  request.signal.throwIfAborted();
  const prompt = promptText(request.messages);
  if (request.tag.stage === 'judge') return reply(request, String(judge(request, prompt)), []);
  const tags = offeredTags(prompt);
  if (request.tag.stage === 'loop') return reply(request, loop(prompt, tags), []);
  const situation: Situation = {
    produces: request.tag.produces,
    who: `${request.tag.movement} ${request.tag.role}`,
    prompt,
    tags,
  };
  const offered = new Set(request.tools.map((tool) => tool.name));
  const state = replay(work(situation), request.messages, offered);
  if (!state.done) return reply(request, '', state.calls);
  return reply(request, render(state.value, tags), []);
}

function promptText(messages: ModelMessage[]): string {
  const message = messages[promptIndex(messages)];
  return message?.role === 'user' ? message.text : '';
}

/** No model counted: four characters a token is the usual estimate, never 0. */
function reply(request: ModelRequest, text: string, toolCalls: ModelReply['toolCalls']): ModelReply {
  let length = request.instructions?.length ?? 0;
  for (const message of request.messages) {
    if (message.role === 'tool') for (const result of message.results) length += result.output.length;
    else length += message.text.length;
  }
  const output = text.length + toolCalls.reduce((sum, call) => sum + JSON.stringify(call.input).length, 0);
  return {
    text,
    toolCalls,
    usage: {
      inputTokens: Math.max(1, Math.ceil(length / 4)),
      outputTokens: Math.max(1, Math.ceil(output / 4)),
      estimated: true,
    },
  };
}

function judge(request: ModelRequest, prompt: string): number {
  const conditions = request.judge?.conditions ?? [];
  // The question lists the conditions too: without their lines, what is left is the output.
  let text = prompt;
  for (const { index, text: condition } of conditions)
    text = text.replace(`${index}: ${condition.replace(/\s+/g, ' ')}`, '');
  return overlapping(conditions, text) ?? -1;
}

/** Rules give the same plan for the same item: going round again would bring nothing new. */
function loop(prompt: string, tags: OfferedTag[]): string {
  const tag = tagFor(tags, 'unproductive') ?? tags.at(-1)?.index ?? null;
  const text =
    'The rule-based planner answers the same findings with the same plan, so another round would change nothing.';
  return tag === null || prompt === '' ? text : `${text}\n\n[STEP:${tag}]`;
}

function render(result: Result, tags: OfferedTag[]): string {
  const parts = [result.text];
  if (result.data) parts.push(`\`\`\`json:${result.data.kind}\n${JSON.stringify(result.data.value, null, 2)}\n\`\`\``);
  const own =
    tagFor(tags, result.outcome, result.data?.kind) ??
    overlapping(tags, result.text) ??
    (tags.length > 0 ? (tags[0]?.index ?? null) : null);
  if (own !== null) parts.push(`[STEP:${own}]`);
  return parts.join('\n\n');
}

function* work(situation: Situation): Work<Result> {
  const { produces } = situation;
  if (produces.includes('workplan') || produces.includes('research')) return yield* planOrResearch(situation);
  const judged = ['review', 'score', 'coverage', 'defect', 'examination'].find((kind) => produces.includes(kind));
  if (judged !== undefined) return yield* judgePlan(judged, situation);
  return yield* tell(situation);
}

function* planOrResearch(situation: Situation): Work<Result> {
  const { produces, tags } = situation;
  const found = yield* study(situation.prompt);
  const thin = produces.includes('context_request') ? missingContext(found) : null;
  if (thin) {
    return {
      text: thin.map((line) => `- ${line}`).join('\n'),
      data: { kind: 'context_request', value: { missing: thin } },
      outcome: 'context_request',
    };
  }
  // Where no rule for asking is offered nobody can answer: the recommendations are taken as assumptions.
  const mayAsk =
    produces.includes('questions') && (tags.length === 0 || tagFor(tags, 'questions', 'questions') !== null);
  const questions = mayAsk ? questionsToAsk(found.drafts, found.asked) : [];
  if (questions.length > 0) {
    return {
      text: questions.map((one) => `- ${one.question}`).join('\n'),
      data: { kind: 'questions', value: { questions } },
      outcome: 'questions',
    };
  }
  if (produces.includes('workplan')) {
    const draft = planFrom(found);
    yield* confirmPaths(
      found.evidence,
      draft.units.flatMap((unit) => unit.files.map((file) => file.path)),
    );
    const plan = planFrom(found);
    const text = [plan.goal, ...plan.units.map((unit) => `- ${unit.id} ${unit.title}`)].join('\n');
    return { text, data: { kind: 'workplan', value: plan }, outcome: 'finished' };
  }
  const research = researchFrom(found);
  return { text: research.summary, data: { kind: 'research', value: research }, outcome: 'finished' };
}

function* judgePlan(kind: string, situation: Situation): Work<Result> {
  const facts = yield* assess(situation.prompt);
  if (facts === null) return withoutPlan(kind, situation);
  if (kind === 'examination') {
    const [given] = yield [{ name: 'evaluations_read', input: {} }];
    const value = examine(examined(situation), facts, evaluationsOf(given));
    return { text: value.explanation, data: { kind, value }, outcome: 'finished' };
  }
  if (kind === 'review') {
    const value = /feasib|実現|order|risk/i.test(situation.who) ? feasibilityReview(facts) : coverageReview(facts);
    const text =
      value.findings.map((finding) => `- ${finding.text}`).join('\n') ||
      reviewTexts(facts.found.language).none(
        facts.plan.requirements.length,
        facts.plan.units.length,
        facts.plan.findings.length,
      );
    return { text, data: { kind, value }, outcome: isBlocked(value) ? 'needs_fix' : 'approved' };
  }
  return evaluated(kind, facts);
}

function evaluated(kind: string, facts: Assessment): Result {
  if (kind === 'score') {
    const value = rubricOf(facts);
    return { text: `${totalOf(value)} / 100`, data: { kind, value }, outcome: 'finished' };
  }
  if (kind === 'coverage') {
    const value = coverageOf(facts);
    const covered = value.requirements.filter((one) => one.covered).length;
    return { text: `${covered} / ${value.requirements.length}`, data: { kind, value }, outcome: 'finished' };
  }
  const value = defectOf(facts);
  return { text: value.explanation, data: { kind, value }, outcome: 'finished' };
}

/** A judgement needs a plan; without one that can be read the worst is said, in the kind's own terms. */
function withoutPlan(kind: string, situation: Situation): Result {
  const text = reviewTexts('en').noPlan;
  const note = [{ text, blocking: true }];
  const values: Record<string, unknown> = {
    review: { findings: note },
    score: { coverage: 0, groundedness: 0, specificity: 0, feasibility: 0, completeness: 0, feedback: note },
    coverage: { requirements: [], units: [], feedback: note },
    defect: { defect: 'missing_requirement', confidence: 1, explanation: text, feedback: note },
    examination: {
      of: examined(situation),
      revised: examined(situation) === 'falsifier' ? null : 0,
      verdict: 'plausible',
      resolutionKnown: false,
      explanation: text,
    },
  };
  return { text, data: { kind, value: values[kind] }, outcome: kind === 'review' ? 'needs_fix' : 'finished' };
}

function examined(situation: Situation): 'rubric' | 'coverage' | 'falsifier' {
  const named = /"?of"?\s*(?:is|:)\s*"?(rubric|coverage|falsifier)/.exec(situation.prompt)?.[1];
  const text = `${situation.who} ${named ?? ''}`;
  if (/falsif|defect/i.test(text)) return 'falsifier';
  return /coverage/i.test(text) ? 'coverage' : 'rubric';
}

/** A movement that hands over nothing this planner knows: it says what the item asks for and where that is in the code. */
function* tell(situation: Situation): Work<Result> {
  const found: Study = yield* study(situation.prompt);
  const questions = situation.produces.includes('questions') ? questionsToAsk(found.drafts, found.asked) : [];
  if (questions.length > 0)
    return { text: '', data: { kind: 'questions', value: { questions } }, outcome: 'questions' };
  const missing = situation.produces.includes('context_request') ? missingContext(found) : null;
  if (missing) return { text: '', data: { kind: 'context_request', value: { missing } }, outcome: 'context_request' };
  const research = researchFrom(found);
  const lines = [
    research.summary,
    ...research.requirements.slice(0, 20).map((one) => `- ${one.id}: ${one.text}`),
    ...research.findings.slice(0, 10).map((one) => `- ${one.path}:${one.startLine} ${one.text}`),
  ];
  return { text: lines.join('\n'), data: null, outcome: 'finished' };
}
