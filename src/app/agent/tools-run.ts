import { z } from 'zod';
import type { RunState } from '../../domain/run/state.ts';
import { checkWorkplan } from '../../domain/workplan/checks.ts';
import type { AskedQuestion } from '../../domain/workplan/people.ts';
import { Research, Workplan } from '../../domain/workplan/schema.ts';
import { Coverage, Defect, Examination, Rubric } from '../../domain/workplan/score-schema.ts';
import type { RepositorySnapshot } from '../../ports/repository.ts';
import { planFacts } from '../plan-facts.ts';
import { defineTool, resultLimit, type Tool, ToolError } from './tool.ts';

const nothing = z.strictObject({});
const reportInput = z.strictObject({
  file: z.string().min(1).max(300).describe('The file name of the report'),
  from: z.int().min(0).optional().describe('First character that is shown, of a long one; 0 without it'),
});
const parts = z.enum(['requirements', 'findings', 'decisions', 'units']);
const workplanInput = z.strictObject({ part: parts.optional().describe('Only this list of the Workplan') });

/** Tools that read what the run itself has gathered so far. */
export function runTools(state: RunState, repository: RepositorySnapshot | null): Tool[] {
  return [
    defineTool({
      name: 'questions_read',
      description:
        'Questions that were put to people, in this run and before, with their answers. Never ask one of them again.',
      input: nothing,
      read: () => ({ questions: state.questions.map(questionView) }),
    }),
    defineTool({
      name: 'report_read',
      description: 'A report that a movement of this run wrote.',
      input: reportInput,
      read: ({ file, from = 0 }) => readReport(state, file, from),
    }),
    defineTool({
      name: 'research_read',
      description: 'What research handed over in this run: requirements, findings, risks, assumptions; null before.',
      input: nothing,
      read: () => ({ research: dataOf(Research, state.data['research']) }),
    }),
    workplanTool(state, repository),
    defineTool({
      name: 'evaluations_read',
      description: 'What the evaluators and the cross-examiners of the Workplan gave so far.',
      input: nothing,
      read: () => ({
        rubric: dataOf(Rubric, state.data['score']),
        coverage: dataOf(Coverage, state.data['coverage']),
        falsifier: dataOf(Defect, state.data['defect']),
        examinations: Object.entries(state.data).flatMap(([key, entry]) =>
          key.includes('/') ? (dataOf(Examination, producedValue(entry)) ?? []) : [],
        ),
      }),
    }),
  ];
}

function workplanTool(state: RunState, repository: RepositorySnapshot | null): Tool {
  return defineTool({
    name: 'workplan_read',
    description:
      'The Workplan of this run and what the checks by code say of it; null before there is one. A large one comes by part.',
    input: workplanInput,
    read: ({ part }) => {
      const plan = dataOf(Workplan, state.data['workplan']) ?? state.workplan;
      if (plan === null) return { workplan: null, checks: [] };
      if (part !== undefined) return { part, entries: plan[part] };
      const checks = checkWorkplan(plan, planFacts(state, repository));
      if (JSON.stringify(plan).length > resultLimit - 2000)
        throw new ToolError(
          'result_too_large',
          `The Workplan is large: read it by part (${parts.options.join(', ')}).`,
        );
      return { workplan: plan, checks };
    },
  });
}

function questionView({ question, state, assumed, answers }: AskedQuestion): object {
  const { id, type, question: text, why, multiple, options, recommendation } = question;
  return {
    id,
    type,
    question: text,
    why,
    multiple,
    options,
    recommendation,
    state,
    assumed,
    answers: answers.map(({ by, optionIds, text: words }) => ({
      by: by.username,
      role: by.role ?? null,
      optionIds,
      text: words,
    })),
  };
}

function readReport(state: RunState, file: string, from: number): object {
  const text = Object.hasOwn(state.reports, file) ? state.reports[file] : undefined;
  if (text !== undefined) return { file, text: text.slice(from).toWellFormed() };
  const names = Object.keys(state.reports);
  const hint = names.length > 0 ? `Reports: ${names.join(', ')}.` : 'No report was written yet.';
  throw new ToolError('not_found', `There is no report ${file}. ${hint}`);
}

function dataOf<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Sub-movements' data stand with their kind beside the value. */
function producedValue(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : undefined;
}
