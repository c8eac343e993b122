import { describe, expect, test } from 'vitest';
import { ofKind, runText } from '../../../helpers/local-run.ts';

const piece = (movements: string, head = ''): string =>
  `name: test\nmax_iterations: 8\n${head}movements:\n${movements}`;

describe('parallel movements', () => {
  const REVIEW = piece(`  - name: 並列 (all) 1
    max_parallel: 1
    parallel:
      - { name: "ревью [1]", edit: false, report: { name: ревью.md }, rules: [{ condition: ok }] }
      - { name: レビュー 2, edit: true, rules: [{ condition: ok }] }
    rules:
      - { condition: 'all("ok")', next: COMPLETE }
      - { condition: 'any("ok")', next: ABORT }
`);

  test('start their sub-movements as they get their turn, under their parent and its counters', async () => {
    const script = [
      { movement: 'レビュー 2', output: '[STEP:0]' },
      { movement: 'ревью [1]', output: '[STEP:0]' },
    ];

    const { lines } = await runText({ piece: REVIEW, script });

    expect(lines.filter((line) => line.event !== 'prompt' && line.event !== 'warning')).toEqual([
      { event: 'start', movement: '並列 (all) 1', iteration: 1, movementIteration: 1, permissionMode: 'default' },
      {
        event: 'start',
        movement: 'ревью [1]',
        iteration: 1,
        movementIteration: 1,
        permissionMode: 'default',
        parent: '並列 (all) 1',
      },
      { event: 'report', movement: 'ревью [1]', file: 'ревью.md', text: '[STEP:0]' },
      { event: 'complete', movement: 'ревью [1]', rule: 0, condition: 'ok', method: 'tag', parent: '並列 (all) 1' },
      {
        event: 'start',
        movement: 'レビュー 2',
        iteration: 1,
        movementIteration: 1,
        permissionMode: 'bypassPermissions',
        parent: '並列 (all) 1',
      },
      { event: 'complete', movement: 'レビュー 2', rule: 0, condition: 'ok', method: 'tag', parent: '並列 (all) 1' },
      { event: 'complete', movement: '並列 (all) 1', rule: 0, condition: 'all("ok")', method: 'aggregate' },
      { event: 'end', status: 'completed', iterations: 1 },
    ]);
  });

  test('one that runs no agent starts before it completes', async () => {
    const routed = piece(`  - name: p
    parallel:
      - { name: route, rules: [{ when: 1 == 1 }] }
    rules:
      - { condition: 'any("1 == 1")', next: COMPLETE }
`);

    const { lines } = await runText({ piece: routed, script: [] });

    expect(lines.slice(1, 3)).toEqual([
      {
        event: 'start',
        movement: 'route',
        iteration: 1,
        movementIteration: 1,
        permissionMode: 'default',
        parent: 'p',
      },
      { event: 'complete', movement: 'route', rule: 0, condition: '1 == 1', method: 'when', parent: 'p' },
    ]);
  });

  test('one that fails does not lose the others', async () => {
    const script = [
      { movement: 'ревью [1]', error: 'overloaded' },
      { movement: 'レビュー 2', output: '[STEP:0]' },
    ];

    const { lines } = await runText({ piece: REVIEW, script });

    expect(ofKind(lines, 'complete').map(({ movement, rule }) => [movement, rule])).toEqual([
      ['ревью [1]', null],
      ['レビュー 2', 0],
      ['並列 (all) 1', 1],
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'warning', code: 'scripted_error' }));
  });
});
