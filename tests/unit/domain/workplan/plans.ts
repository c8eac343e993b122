/** Small valid plans to change in tests. */
import type { Question, Unit, Workplan } from '../../../../src/domain/workplan/schema.ts';

export function unit(id: string, changes: Partial<Unit> = {}): Unit {
  return {
    id,
    title: `Do ${id}`,
    why: `Because of ${id}.`,
    files: [],
    dependsOn: [],
    parallelWith: [],
    covers: [],
    acceptance: ['It works.'],
    verify: ['npm test'],
    size: 'S',
    ...changes,
  };
}

export function plan(changes: Partial<Workplan> = {}): Workplan {
  return {
    goal: 'Export orders as CSV.',
    requirements: [
      { id: 'R1', text: 'Orders can be exported.', source: 'description#L3' },
      { id: 'R2', text: 'The export is CSV.', source: 'note_34' },
    ],
    findings: [
      {
        text: 'Orders are listed here.',
        path: 'src/orders.ts',
        startLine: 1,
        endLine: 4,
        url: 'https://gitlab.example.com/acme/sample/-/blob/abc/src/orders.ts#L1-4',
      },
    ],
    decisions: [{ text: 'Export in the background.', questionId: 'background', confirmed: true }],
    units: [
      unit('U1', { covers: ['R1'], files: [{ path: 'src/orders.ts', state: 'existing' }] }),
      unit('U2', { covers: ['R2'], files: [{ path: 'src/csv.ts', state: 'new' }] }),
      unit('U3', { dependsOn: ['U1', 'U2'], covers: ['R1'], files: [{ path: 'src/csv.ts', state: 'existing' }] }),
    ],
    outOfScope: ['PDF'],
    risks: ['Large exports are slow.'],
    openQuestions: [],
    ...changes,
  };
}

export function closed(changes: Partial<Question> = {}): Question {
  return {
    id: 'format',
    type: 'closed',
    question: 'Which format?',
    why: 'It decides the library.',
    multiple: false,
    options: [
      { id: 'csv', label: 'CSV file', description: 'Plain text.', recommended: true },
      { id: 'xlsx', label: 'Excel', recommended: false },
      { id: 'json', label: 'JSON', recommended: false },
    ],
    recommendation: 'Every tool reads it.',
    ...changes,
  };
}

export function open(changes: Partial<Question> = {}): Question {
  return {
    ...closed(),
    id: 'limit',
    type: 'open',
    question: 'How many rows at most?',
    options: [],
    recommendation: '10,000 rows.',
    ...changes,
  };
}
