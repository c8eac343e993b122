/** Driving the provider through the host as the agent loop and the flow's movements do. */
import { createOfflineModel } from '../../../../../src/adapters/models/offline/offline.ts';
import { extractData } from '../../../../../src/domain/piece/data.ts';
import type { ModelMessage, ToolResult } from '../../../../../src/domain/run/messages.ts';
import { checkWorkplan, failedChecks } from '../../../../../src/domain/workplan/checks.ts';
import type { DataKind, DataOf, Produced } from '../../../../../src/domain/workplan/data-kinds.ts';
import type { Question, Workplan } from '../../../../../src/domain/workplan/schema.ts';
import { computeScore } from '../../../../../src/domain/workplan/score.ts';
import type { Examination } from '../../../../../src/domain/workplan/score-schema.ts';
import type { Host } from './host.ts';

const TOOLS = [
  'item_read',
  'discussions_read',
  'questions_read',
  'repo_list',
  'repo_read',
  'repo_search',
  'repo_symbols',
  'workplan_read',
  'evaluations_read',
];

export interface Drive {
  movement: string;
  produces: DataKind[];
  rules: string[];
  /** Put before the status section. */
  before?: string;
  /** Numbers of the rules that are offered; all without it. */
  offered?: number[];
  history?: ModelMessage[];
}

export interface Driven {
  output: string;
  produced: Produced | null;
  tag: number | null;
  calls: number;
  messages: ModelMessage[];
}

/** Runs the provider to its output, as the agent loop does. Throws when it does not end within 12 replies. */
export async function drive(host: Host, how: Drive): Promise<Driven> {
  const model = createOfflineModel();
  const status = how.rules
    .map((text, index) => `[STEP:${index}] = ${text}`)
    .filter((_, index) => how.offered?.includes(index) ?? true);
  const messages: ModelMessage[] = [
    ...(how.history ?? []),
    { role: 'user', text: `# Context\n\n${how.before ?? ''}\n\n---\n# Status\n\n${status.join('\n')}` },
  ];
  let calls = 0;
  for (let step = 0; step < 12; step++) {
    const reply = await model.complete({
      tag: {
        runId: 'run',
        movement: how.movement,
        stage: 'agent',
        role: how.movement,
        produces: how.produces,
        position: { movement: 0, run: 0, judge: 0 },
      },
      model: '',
      messages,
      tools: TOOLS.map((name) => ({ name, description: '', inputSchema: {} })),
      signal: new AbortController().signal,
    });
    messages.push({ role: 'assistant', text: reply.text, toolCalls: reply.toolCalls });
    if (reply.toolCalls.length === 0) {
      const data = how.produces.length > 0 ? extractData(reply.text, how.produces) : null;
      if (data && !data.ok) throw new Error(data.problems.join('\n'));
      const tags = [...reply.text.matchAll(/\[STEP:(\d+)\]/g)];
      return {
        output: reply.text,
        produced: data?.produced ?? null,
        tag: tags.length > 0 ? Number(tags.at(-1)?.[1]) : null,
        calls,
        messages,
      };
    }
    calls += reply.toolCalls.length;
    const results = reply.toolCalls.map((call): ToolResult => {
      const answer = host.answer(call);
      return { id: call.id, name: call.name, output: JSON.stringify(answer), isError: 'error' in answer };
    });
    messages.push({ role: 'tool', results });
  }
  throw new Error('the provider did not come to an end within 12 replies');
}

export const RESEARCH: Drive = {
  movement: 'research',
  produces: ['questions', 'research', 'context_request'],
  rules: [
    'Research is complete and is handed over as research data',
    'People must decide something first and the questions are handed over as questions data',
    'The description is too thin to research and what is missing is handed over as context_request data',
  ],
};

export const PLAN: Drive = {
  movement: 'plan',
  produces: ['questions', 'workplan', 'context_request'],
  rules: [
    'The plan is written and is handed over as workplan data',
    'People must decide something first and the questions are handed over as questions data',
    'The description is too thin to plan and what is missing is handed over as context_request data',
  ],
};

/** Without people: the rule for asking is not offered. */
export function alone(how: Drive): Drive {
  return { ...how, offered: [0, 2] };
}

export function value<K extends DataKind>(driven: Driven, kind: K): DataOf<K> {
  if (driven.produced?.kind !== kind)
    throw new Error(`expected ${kind}, got ${driven.produced?.kind}: ${driven.output.slice(0, 500)}`);
  return driven.produced.value as DataOf<K>;
}

export async function planned(host: Host, how: Drive = PLAN): Promise<Workplan> {
  const plan = value(await drive(host, how), 'workplan');
  host.plan = plan;
  const failed = failedChecks(checkWorkplan(plan, host.facts));
  if (failed.length > 0) throw new Error(failed.map((check) => check.message).join('\n'));
  return plan;
}

/** Evaluates and examines the host's plan and computes its score, as the flow's last three movements do. */
export async function scored(host: Host): Promise<number> {
  const rules = ['evaluated'];
  const evaluate = (movement: string, produces: DataKind[]) => drive(host, { movement, produces, rules });
  host.evaluations = {
    rubric: value(await evaluate('rubric', ['score']), 'score'),
    coverage: value(await evaluate('requirement_coverage', ['coverage']), 'coverage'),
    falsifier: value(await evaluate('falsifier', ['defect']), 'defect'),
    examinations: [],
  };
  const examinations: Examination[] = [];
  for (const name of ['examine_rubric', 'examine_coverage', 'examine_falsifier']) {
    examinations.push(
      value(await drive(host, { movement: name, produces: ['examination'], rules: ['examined'] }), 'examination'),
    );
  }
  host.evaluations.examinations = examinations;
  const plan = host.plan;
  if (plan === null) throw new Error('there is no plan to score');
  const result = computeScore({
    rubric: host.evaluations.rubric,
    coverage: host.evaluations.coverage,
    falsifier: host.evaluations.falsifier,
    examinations,
    checks: checkWorkplan(plan, host.facts),
    knownRequirements: plan.requirements.map((one) => one.id),
    knownUnits: plan.units.map((unit) => unit.id),
  });
  if (!result.ok) throw new Error(`no score: ${result.missing.join(', ')}`);
  return result.score.value;
}

/** Records the questions of a pause, with an answer for those that `choose` gives an option's index for. */
export function ask(host: Host, questions: Question[], choose: (question: Question) => number | null): void {
  for (const question of questions) {
    const index = choose(question);
    const option = index === null ? undefined : question.options[index];
    host.asked.push({
      question,
      answers: option ? [{ by: 'alice', role: 'Developer', optionIds: [option.id], text: '' }] : [],
    });
  }
}
