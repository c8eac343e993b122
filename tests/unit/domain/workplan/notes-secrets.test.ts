import { expect, test } from 'vitest';
import { renderQuestion } from '../../../../src/domain/workplan/notes.ts';
import { parsePayload } from '../../../../src/domain/workplan/payload.ts';
import { renderWorkplan } from '../../../../src/domain/workplan/render.ts';
import { closed, plan, unit } from './plans.ts';

const TOKEN = ['glpat', 'AbCdEfGhIjKlMnOp1234'].join('-');
const URL = 'postgres://app:hunter2@db/app';
const SECRETS = [TOKEN, 'hunter2', 'AbCdEfGh'];
const says = (what: string) => `${what} ${TOKEN} and \`${URL}\` and ${URL}.`;

test('no part of a Workplan note tells a secret', () => {
  const note = renderWorkplan({
    plan: plan({
      goal: says('Goal'),
      requirements: [{ id: 'R1', text: says('Requirement'), source: `answer:${TOKEN}` }],
      findings: [{ text: says('Finding'), path: `src/${TOKEN}.ts`, startLine: 1, endLine: 1 }],
      decisions: [{ text: says('Decision'), questionId: 'a', confirmed: false }],
      units: [
        unit('U1', {
          title: says('Title'),
          why: `${says('Why')}\n\n\`\`\`\nPASSWORD=hunter2\n\`\`\``,
          files: [{ path: `src/${TOKEN}.ts`, state: 'new' }],
          covers: ['R1'],
          acceptance: [says('Acceptance')],
          verify: [`curl -H "PRIVATE-TOKEN: ${TOKEN}"`],
        }),
      ],
      outOfScope: [says('Not')],
      risks: [says('Risk')],
      openQuestions: [says('Open')],
    }),
    score: { value: 50, band: 'Medium', feedback: [{ text: says('Feedback'), blocking: true }], checks: [] },
    scoreStatus: 'EVALUATED',
    language: 'en',
    starter: 'alice',
    provider: 'test',
    commit: null,
    revision: 1,
  });
  for (const secret of SECRETS) expect(note).not.toContain(secret);
  expect(note).toContain('Goal [redacted GitLab token] and');
});

test.each(['hidden', 'duo'] as const)('no part of a question tells one, nor its payload (%s)', (format) => {
  const question = closed({
    question: says('Which?'),
    why: says('Why'),
    options: [
      { id: 'a', label: says('A'), description: says('B'), recommended: true },
      { id: 'b', label: 'B', recommended: false },
    ],
    recommendation: says('Because'),
  });
  const note = renderQuestion({
    question,
    language: 'en',
    mention: null,
    format,
    number: 1,
    total: 1,
    provider: 'test',
  });
  for (const secret of SECRETS) expect(note).not.toContain(secret);
  expect(parsePayload(note)?.question).toContain('[redacted GitLab token]');
});
