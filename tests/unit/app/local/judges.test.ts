import { describe, expect, test } from 'vitest';
import { ofKind, runText } from '../../../helpers/local-run.ts';

describe("a loop monitor's judge", () => {
  const CIRCLE = `name: circle
max_iterations: 8
movements:
  - { name: a, edit: false, rules: [{ condition: go, next: b }] }
  - { name: b, edit: false, rules: [{ condition: back, next: a }] }
loop_monitors:
  - cycle: [a, b]
    threshold: 1
    judge: { rules: [{ condition: healthy, next: a }, { condition: stuck, next: COMPLETE }] }
`;
  const round = [
    { movement: 'a', output: '[STEP:0]' },
    { movement: 'b', output: '[STEP:0]' },
  ];

  test('counts its runs, in its lines and in its prompt', async () => {
    const script = [...round, { judge: 'loop_judge', answer: 0 }, ...round, { judge: 'loop_judge', answer: 1 }];

    const { lines } = await runText({ piece: CIRCLE, script });

    const starts = ofKind(lines, 'start').filter(({ movement }) => movement === 'loop_judge');
    expect(starts.map(({ iteration, movementIteration }) => [iteration, movementIteration])).toEqual([
      [3, 1],
      [6, 2],
    ]);
    const prompts = ofKind(lines, 'prompt').filter(({ movement }) => movement === 'loop_judge');
    expect(prompts.map(({ text }) => /Movement iteration: (\d+)/.exec(text)?.[1])).toEqual(['1', '2']);
  });
});

test('the judge of a sub-movement is the one that the script names so', async () => {
  const text = `name: subs
max_iterations: 2
movements:
  - name: both
    parallel:
      - { name: one, edit: false, rules: [{ condition: yes }, { condition: no }] }
    rules: [{ condition: 'any("no")', next: COMPLETE }]
`;
  const script = [
    { movement: 'one', output: 'Hm.' },
    { judge: 'both', answer: 0 },
    { judge: 'one', answer: 1 },
  ];

  const { lines } = await runText({ piece: text, script });

  expect(ofKind(lines, 'complete')[0]).toMatchObject({ movement: 'one', rule: 1, method: 'judge', parent: 'both' });
  expect(lines.at(-1)).toMatchObject({ status: 'completed' });
});
