/** What the runs of the chaos suite go through: four small pieces and one script of answers that serves them all. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** `workplan` asks once, `twice` in two rounds, `direct` never, `thin` waits at the context gate. */
export const PIECES = ['workplan', 'twice', 'direct', 'thin'] as const;
export type PieceName = (typeof PIECES)[number];

/** Movements that come before the plan, by piece; the plan's own name says what decisions it has to hold. */
const BEFORE: Record<PieceName, { asks: string[]; gate: boolean; plan: string }> = {
  workplan: { asks: ['ask'], gate: false, plan: 'plan_one' },
  twice: { asks: ['ask', 'ask_more'], gate: false, plan: 'plan_two' },
  direct: { asks: [], gate: false, plan: 'plan' },
  thin: { asks: [], gate: true, plan: 'plan' },
};

/** The folder for `PIECES_DIR` and the file for `MODEL_SCRIPT`. */
export async function writePieces(folder: string): Promise<{ piecesDir: string; modelScript: string }> {
  const piecesDir = path.join(folder, 'pieces');
  const modelScript = path.join(folder, 'script.json');
  await mkdir(piecesDir, { recursive: true });
  for (const name of PIECES) await writeFile(path.join(piecesDir, `${name}.yaml`), pieceText(name));
  await writeFile(modelScript, JSON.stringify(scriptEntries()));
  return { piecesDir, modelScript };
}

export function pieceText(name: PieceName): string {
  const { asks, gate, plan } = BEFORE[name];
  const order = [...asks, ...(gate ? ['look'] : []), plan];
  const after = (movement: string): string => order[order.indexOf(movement) + 1] ?? 'check';
  return [
    `name: ${name}\nmax_iterations: 30\ninitial_movement: ${order[0]}\nmovements:`,
    ...asks.map((ask) =>
      agent(ask, '[questions, research]', [
        `      - { condition: nothing is left to ask, next: ${after(ask)} }`,
        `      - { condition: people must decide, next: ${ask}, requires_user_input: true, interactive_only: true }`,
      ]),
    ),
    ...(gate
      ? [
          agent('look', '[research, context_request]', [
            `      - { condition: enough is known, next: ${plan} }`,
            '      - { condition: too little is known, next: more }',
          ]),
          '  - name: more\n    gate: context\n    rules:\n      - { condition: continued, next: look }',
        ]
      : []),
    agent(plan, '[workplan]', ['      - { condition: the plan is written, next: check }']),
    CHECK.replace('PLAN', plan),
  ].join('\n');
}

function agent(name: string, produces: string, rules: string[]): string {
  return [
    `  - name: ${name}\n    edit: false\n    permission_mode: readonly\n    produces: ${produces}`,
    `    instruction_template: "Do ${name} for {task}"\n    rules:`,
    ...rules,
  ].join('\n');
}

const CHECK = `  - name: check
    parallel:
      - name: left
        edit: false
        instruction_template: "Check the plan."
        rules: [{ condition: approved }, { condition: needs_fix }]
      - name: right
        edit: false
        instruction_template: "Check the plan."
        rules: [{ condition: approved }, { condition: needs_fix }]
    rules:
      - { condition: all("approved"), next: write }
      - { condition: any("needs_fix"), next: PLAN }
  - name: write
    action: publish_workplan
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: ABORT }
`;

const READS = [
  { name: 'item_read', input: {} },
  { name: 'repo_list', input: {} },
];

function scriptEntries(): object[] {
  const research = fenced('research', { summary: 'A store of notes.', requirements: [REQUIREMENT], findings: [] }, 0);
  const entry = (movement: string, output: string, tools: object[] = []) => ({ movement, tools, output });
  // More than one round has: who asks what was asked before is sent back, and each try has its own entry.
  const asks = (movement: string, id: string) => [
    entry(movement, fenced('questions', { questions: [question(id)] }, 1), READS),
    ...Array.from({ length: 4 }, () => entry(movement, research)),
  ];
  return [
    ...asks('ask', 'scope'),
    ...asks('ask_more', 'limit'),
    entry('look', fenced('context_request', { missing: ['What is to be built.'] }, 1), READS),
    ...Array.from({ length: 3 }, () => entry('look', research)),
    ...Array.from({ length: 4 }, () => entry('plan', workplan([]), READS)),
    // A decision is confirmed when somebody answered: the check of the data says which of these it is.
    ...[[true], [false]].map((confirmed) => entry('plan_one', workplan(decisions(['scope'], confirmed)), READS)),
    ...[
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ].map((confirmed) => entry('plan_two', workplan(decisions(['scope', 'limit'], confirmed)), READS)),
    ...['left', 'right'].flatMap((name) => Array.from({ length: 3 }, () => entry(name, 'Fine. [STEP:0]'))),
  ];
}

function fenced(kind: string, value: object, rule: number): string {
  return `\`\`\`json:${kind}\n${JSON.stringify(value)}\n\`\`\`\n[STEP:${rule}]`;
}

const REQUIREMENT = { id: 'R1', text: 'Notes can be deleted.', source: 'description' };

function question(id: string): object {
  const options = [
    { id: 'small', label: 'Only the store', recommended: true },
    { id: 'large', label: 'Store and routes', recommended: false },
  ];
  return {
    id,
    type: 'closed',
    question: `What is the ${id}?`,
    why: 'It decides the work.',
    multiple: false,
    options,
    recommendation: 'Small first.',
  };
}

function decisions(ids: string[], confirmed: boolean[]): object[] {
  return ids.map((questionId, index) => ({
    text: `As asked: ${questionId}.`,
    questionId,
    confirmed: confirmed[index],
  }));
}

function workplan(made: object[]): string {
  const unit = {
    id: 'U1',
    title: 'Delete a note',
    why: 'It is asked for.',
    files: [{ path: 'src/notes/store.ts', state: 'existing' }],
    dependsOn: [],
    parallelWith: [],
    covers: ['R1'],
    acceptance: ['A deleted note is not found.'],
    verify: ['npm test'],
    size: 'S',
  };
  const findings = [{ text: 'Notes are kept in a map.', path: 'src/notes/store.ts', startLine: 1, endLine: 3 }];
  const plan = { goal: 'Notes can be deleted.', requirements: [REQUIREMENT], findings, decisions: made, units: [unit] };
  return fenced('workplan', { ...plan, outOfScope: [], risks: [], openQuestions: [] }, 0);
}
