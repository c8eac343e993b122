import { expect, test } from 'vitest';
import { ofKind, runText } from '../../../helpers/local-run.ts';

const piece = `name: t
max_iterations: 3
movements:
  - { name: look, edit: false, produces: research, rules: [{ condition: seen, next: COMPLETE }], on_failure: COMPLETE }
`;

const research = {
  summary: 'A login page is missing.',
  requirements: [{ id: 'R1', text: 'A login page.', source: 'description' }],
  findings: [],
  risks: [],
  assumptions: [],
};
const output = `Looked.\n\n\`\`\`json:research\n${JSON.stringify(research)}\n\`\`\`\n\n[STEP:0]`;
const tasks = [
  { title: 'pages', instructions: 'Which pages are there?' },
  { title: 'users', instructions: 'Where are users kept?' },
];

test('a script can let sub-agents research, each with its own entry', async () => {
  const script = [
    { movement: 'look', tools: [{ name: 'research_delegate', input: { tasks } }], output },
    { movement: 'research_delegate', output: 'In pages/.' },
    { movement: 'research_delegate', output: 'In users.ts.' },
  ];
  const seen: string[] = [];
  const settings = { models: {}, delegate: { width: 2, tasks: 2, depth: 1, tokens: 10_000 } };
  const onOutput = (_movement: string, text: string) => void seen.push(text);

  const { lines } = await runText({ piece, script, settings, deps: { onOutput } });

  expect(ofKind(lines, 'end')[0]).toMatchObject({ status: 'completed', iterations: 1 });
  expect(ofKind(lines, 'warning')).toEqual([]);
  expect(seen).toEqual([output]);
});
