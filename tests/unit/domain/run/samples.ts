import type { Answer } from '../../../../src/domain/workplan/people.ts';
import type { Question } from '../../../../src/domain/workplan/schema.ts';
import { alice } from './driver.ts';

export function questionOf(id: string, question = `Question ${id}?`): Question {
  return {
    id,
    type: 'closed',
    question,
    why: 'It decides the plan.',
    multiple: false,
    options: [
      { id: 'a', label: 'First', recommended: true },
      { id: 'b', label: 'Second', recommended: false },
    ],
    recommendation: 'The first is simpler.',
  };
}

export function asking(...questions: Question[]) {
  return { output: 'Please decide. [STEP:1]', kind: 'questions', value: { questions } };
}

export function answerTo(questionId: string, optionIds: string[] = ['b']): Answer {
  return { questionId, by: alice, optionIds, text: '', via: 'reply' };
}

export const samplePlan = {
  goal: 'Export',
  requirements: [{ id: 'R1', text: 'Export as CSV', source: 'description' }],
  findings: [],
  decisions: [],
  units: [],
  outOfScope: [],
  risks: [],
  openQuestions: [],
};
