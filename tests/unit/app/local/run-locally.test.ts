import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { createFakeClock } from '../../../helpers/fakes/clock.ts';
import { ofKind, runText } from '../../../helpers/local-run.ts';

const piece = (movements: string, head = ''): string =>
  `name: test\nmax_iterations: 8\n${head}movements:\n${movements}`;

const ONE = piece(`  - name: only
    edit: false
    report: { name: only.md }
    rules:
      - { condition: done, next: COMPLETE }
      - { condition: failed, next: ABORT }
`);

describe('prompts', () => {
  const TWO = piece(`  - { name: first, agent: a.md, edit: false, rules: [{ condition: ok, next: second }] }
  - { name: second, agent: a.md, edit: false, rules: [{ condition: ok, next: third }] }
  - { name: third, agent: a.md, edit: false, session: refresh, rules: [{ condition: ok, next: COMPLETE }] }
`);

  test('begin with the agent file where the conversation begins', async () => {
    const script = ['one', 'two', 'three'].map((said) => ({ output: `${said} [STEP:0]` }));

    const { lines } = await runText({ piece: TWO, script });

    const texts = ofKind(lines, 'prompt').map((line) => line.text);
    expect(texts.map((text) => text.startsWith('Agent of a.md.\n\n---\n\n## Execution context'))).toEqual([
      true,
      false,
      true,
    ]);
    expect(texts[1]).toContain('one [STEP:0]');
  });

  test('are told once a run of the agent, also when its data goes back to it', async () => {
    const text = piece(
      '  - { name: r, edit: false, produces: [review], rules: [{ condition: ok, next: COMPLETE }] }\n',
    );
    const good = '```json:review\n{"verdict": "approved", "findings": []}\n```\n[STEP:0]';

    const { lines } = await runText({ piece: text, script: [{ output: 'no data' }, { output: good }] });

    expect(ofKind(lines, 'prompt')).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ status: 'completed' });
  });
});

describe('hostile outputs', () => {
  const report = (text: string): string => `\`\`\`markdown\n${text}\n\`\`\``;

  test.each([
    ['tags in code and quotes', '[STEP:0]\n> [STEP:1]\n```\n[STEP:1]\n```\n', 'completed'],
    ['a tag far out of range', '[STEP:0] [STEP:99999999999999999999]', 'misuse'],
    ['a tag in a report only', report('[STEP:0]'), 'misuse'],
    ['a report that names another file', `${report('../../etc/passwd')}\n[STEP:0]`, 'completed'],
    ['an open fence', '```markdown\nnever closed\n[STEP:0]', 'misuse'],
    ['NUL and lone surrogates', `\0\ud800 ${report('\udc00\0')} [STEP:0]`, 'completed'],
    ['nothing but line breaks and a tag', `${'\n'.repeat(100_000)}[STEP:0]`, 'completed'],
    ['a hundred thousand fences', `${'```\n'.repeat(100_000)}\n[STEP:1]`, 'aborted'],
  ])('%s', async (_, output, ends) => {
    const { lines, misuse } = await runText({ piece: ONE, script: [{ output }] });

    const end = ofKind(lines, 'end')[0];
    // Without a tag a judge is asked, for which this script has nothing.
    expect(misuse ? 'misuse' : end?.status).toBe(ends);
    for (const { file } of ofKind(lines, 'report')) expect(file).toBe('only.md');
    expect(JSON.stringify(lines)).not.toMatch(/\\ud[89a-f][0-9a-f]{2}|\\u0000/);
  });

  test('any output at all gives a run that ends', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '[STEP:0]',
        '[STEP:1]',
        '[STEP:',
        '```markdown\n',
        '```',
        '````md\n',
        '> ',
        '\n',
        '## only.md\n',
        '\ud800',
        '\0',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
        const { lines } = await runText({
          piece: ONE,
          script: [{ output: parts.join('') || ' ' }, { judge: 'only', answer: -1 }],
        });

        expect(lines.at(-1)).toMatchObject({ event: 'end' });
      }),
      { numRuns: 200 },
    );
  });
});

describe('what is kept of reports', () => {
  test('a report that cannot be saved is a warning; the run goes on', async () => {
    const reports = {
      begin: async (name: string) => name,
      async write() {
        throw new PermanentFailure('reports_unwritable', 'The disk is full.');
      },
    };

    const { lines } = await runText({ piece: ONE, script: [{ output: '[STEP:0]' }], deps: { reports } });

    expect(lines).toContainEqual({ event: 'warning', code: 'report_not_saved', message: 'The disk is full.' });
    expect(lines.at(-1)).toMatchObject({ status: 'completed' });
  });

  test('the folder that was made is the one that prompts name', async () => {
    const text = piece(
      '  - { name: a, edit: false, instruction_template: "In {report_dir}", rules: [{ condition: x, next: COMPLETE }] }\n',
    );
    const reports = { begin: async (name: string) => `${name}-2`, write: async () => undefined };

    const { lines } = await runText({
      piece: text,
      script: [{ output: '[STEP:0]' }],
      task: '計画 を',
      deps: { reports },
    });

    expect(ofKind(lines, 'prompt')[0]?.text).toMatch(/In \d{8}-\d{6}-計画-を-2\n/);
  });
});

describe('a script that runs out', () => {
  test('ends the run at once, whatever on_failure says', async () => {
    const text = piece(
      `  - { name: a, edit: false, on_failure: COMPLETE, rules: [{ condition: x, next: COMPLETE }] }\n`,
    );

    const { lines, misuse } = await runText({ piece: text, script: [] });

    expect(misuse).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      status: 'aborted',
      reason: expect.stringMatching(/^script_exhausted: .* a; add one/),
    });
  });

  test('an error in it is a failure of the model like any other', async () => {
    const text = piece(
      `  - { name: a, edit: false, on_failure: COMPLETE, rules: [{ condition: x, next: COMPLETE }] }\n`,
    );

    const { lines, misuse } = await runText({ piece: text, script: [{ error: 'down' }] });

    expect(misuse).toBe(false);
    expect(ofKind(lines, 'complete')).toEqual([
      { event: 'complete', movement: 'a', rule: null, condition: null, method: 'on_failure' },
    ]);
  });
});

test("the piece's time limit ends the run, also while people are waited for", async () => {
  const text = piece(
    `  - { name: a, gate: input, rules: [{ condition: continued, next: COMPLETE }] }\n`,
    'timeout: 10m\n',
  );
  const clock = createFakeClock();
  const never = (_: unknown, signal: AbortSignal) =>
    new Promise<null>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      clock.advance(600_000);
    });

  const { lines } = await runText({ piece: text, script: [], interactive: true, deps: { clock, answer: never } });

  expect(lines.at(-1)).toMatchObject({ status: 'aborted', reason: expect.stringMatching(/^deadline: /) });
});

test('a plan is checked without the files it cites: a local run knows no repository', async () => {
  const text = piece(
    '  - { name: plan, edit: false, produces: [workplan], rules: [{ condition: x, next: COMPLETE }] }\n',
  );
  const plan = {
    goal: 'A login page.',
    requirements: [{ id: 'R1', text: 'People can log in.', source: 'description' }],
    findings: [{ text: 'There is a router.', path: 'src/router.ts', startLine: 1, endLine: 2 }],
    decisions: [],
    units: [
      {
        id: 'U1',
        title: 'Add the page',
        why: 'It is asked for.',
        files: [{ path: 'src/router.ts', state: 'existing' }],
        dependsOn: [],
        parallelWith: [],
        covers: ['R1'],
        acceptance: ['The page is there.'],
        verify: ['npm test'],
        size: 'S',
      },
    ],
    outOfScope: [],
    risks: [],
    openQuestions: [],
  };
  const output = `\`\`\`json:workplan\n${JSON.stringify(plan)}\n\`\`\`\n[STEP:0]`;

  const { lines } = await runText({ piece: text, script: [{ output }] });

  expect(lines.at(-1)).toEqual({ event: 'end', status: 'completed', iterations: 1 });
});

test('skipped actions lead where their rule says, to the scoring too', async () => {
  const text =
    piece(`  - { name: write, action: publish_workplan, rules: [{ condition: done, next: judge it }, { condition: failed, next: ABORT }] }
  - { name: judge it, edit: false, rules: [{ condition: good, next: compute }, { condition: bad, next: ABORT }] }
  - { name: compute, action: compute_score, rules: [{ condition: done, next: COMPLETE }, { condition: failed, next: ABORT }] }
`);

  const good = await runText({ piece: text, script: [{ output: '[STEP:0]' }] });
  const bad = await runText({ piece: text, script: [{ output: '[STEP:1]' }] });

  expect(ofKind(good.lines, 'complete').map(({ movement }) => movement)).toEqual(['write', 'judge it', 'compute']);
  expect(ofKind(good.lines, 'warning').map(({ code }) => code)).toEqual(['action_skipped', 'action_skipped']);
  expect(bad.lines.at(-1)).toMatchObject({ status: 'aborted', reason: expect.stringMatching(/^aborted: /) });
});
