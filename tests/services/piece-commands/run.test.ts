import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, linesOf, PIECE, planwright } from './planwright.ts';

const ASKING = `name: asking
max_iterations: 6
initial_movement: plan
movements:
  - name: plan
    edit: false
    instruction_template: "Plan. {user_inputs}"
    rules:
      - { condition: planned, next: sign }
      - { condition: unclear, next: plan, requires_user_input: true }
  - name: sign
    gate: approval
    rules:
      - { condition: approved, next: COMPLETE }
      - { condition: rejected, next: plan }
`;

const run = (cwd: string, ...args: string[]) => planwright(['piece', 'run', ...args], { cwd });
const script = (...entries: object[]): string => JSON.stringify(entries);

describe('exit codes', () => {
  test('0 and the lines of a run that completes', async () => {
    const report = '```markdown\n# Plan\n```\n[STEP:0]';
    const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': script({ output: report }) });

    const result = await run(cwd, 'a.yaml', '--task', 'Add a login page', '--script', 's.yaml', '--json');

    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(linesOf(result)).toEqual([
      { event: 'start', movement: 'plan', iteration: 1, movementIteration: 1, permissionMode: 'default' },
      { event: 'report', movement: 'plan', file: 'plan.md', text: '# Plan' },
      { event: 'complete', movement: 'plan', rule: 0, condition: 'planned', method: 'tag' },
      { event: 'end', status: 'completed', iterations: 1 },
    ]);
  });

  test('3 when a rule leads to ABORT, with what was said last', async () => {
    const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': script({ output: 'No way. [STEP:2]' }) });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json');

    expect(result.code).toBe(3);
    const reason = expect.stringMatching(/^aborted: .*No way\./);
    expect(linesOf(result).at(-1)).toEqual({ event: 'end', status: 'aborted', reason, iterations: 1 });
  });

  test('3 at the limit of iterations', async () => {
    const again = Array.from({ length: 4 }, () => ({ output: '[STEP:1]' }));
    const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': script(...again) });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json');

    expect(result.code).toBe(3);
    const lines = linesOf(result);
    expect(lines).toContainEqual({
      event: 'warning',
      code: 'loop',
      message: expect.stringContaining('3 times in a row'),
    });
    expect(lines.at(-1)).toMatchObject({ reason: expect.stringMatching(/^max_iterations: /), iterations: 4 });
  });

  test('3 where no rule matches, with a summary of the output', async () => {
    const answers = script({ output: 'I wondered about it.' }, { judge: 'plan', answer: -1 });
    const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': answers });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json');

    expect(result.code).toBe(3);
    expect(linesOf(result).at(-1)?.['reason']).toMatch(/^no_rule_matched: .*I wondered about it\./);
  });

  test('3 at a pause for which the script has no input', async () => {
    const cwd = await folderWith({ 'a.yaml': ASKING, 's.yaml': script({ output: 'Which? [STEP:1]' }) });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json', '--interactive');

    expect(result.code).toBe(3);
    expect(linesOf(result).slice(-2)).toMatchObject([
      { event: 'input', movement: 'plan' },
      { event: 'end', status: 'aborted' },
    ]);
  });

  test('3 when nobody can be asked', async () => {
    const cwd = await folderWith({ 'a.yaml': ASKING, 's.yaml': script({ output: 'Which? [STEP:1]' }) });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json');

    expect(result.code).toBe(3);
    expect(linesOf(result).at(-1)?.['reason']).toMatch(/^user_input_required: /);
  });

  test('2 when the script runs out, the end still told', async () => {
    const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': script({ output: '[STEP:1]' }) });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json');

    expect(result.code).toBe(2);
    expect(linesOf(result).at(-1)).toMatchObject({
      event: 'end',
      status: 'aborted',
      reason: expect.stringMatching(/^script_exhausted: /),
    });
  });

  test.each([
    ['no task', ['a.yaml'], '--task TEXT'],
    ['no piece', ['--task', 'x'], 'one piece file'],
    ['two pieces', ['a.yaml', 'a.yaml', '--task', 'x'], 'one piece file'],
    ['an unknown option', ['a.yaml', '--task', 'x', '--nope'], '--nope'],
    ['a missing piece', ['b.yaml', '--task', 'x'], 'piece_missing'],
    ['a broken piece', ['broken.yaml', '--task', 'x'], 'broken.yaml:1:'],
    ['a missing script', ['a.yaml', '--task', 'x', '--script', 'b.yaml'], 'b.yaml: cannot be read'],
    ['a script that is none', ['a.yaml', '--task', 'x', '--script', 'a.yaml'], 'expected a list of entries'],
    ['an unknown provider', ['a.yaml', '--task', 'x', '--provider', 'nope'], 'MODEL_PROVIDER'],
    ['a script and a provider', ['a.yaml', '--task', 'x', '--script', 's', '--provider', 'offline'], 'either'],
    [
      'a folder that cannot be',
      ['a.yaml', '--task', 'x', '--script', 's.yaml', '--reports', 'a.yaml'],
      'reports_unwritable',
    ],
  ])('2 and nothing on standard output: %s', async (_, args, said) => {
    const cwd = await folderWith({
      'a.yaml': PIECE,
      'broken.yaml': 'name: x\n',
      's.yaml': script({ output: '[STEP:0]' }),
    });

    const result = await run(cwd, ...args, '--json');

    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
  });
});

describe('people', () => {
  test('answer from the script, and decide at approvals', async () => {
    const answers = script(
      { output: 'Which database? [STEP:1]' },
      { input: 'PostgreSQL' },
      { output: 'With it. [STEP:0]' },
      { input: 'reject too large' },
      { output: 'Smaller. [STEP:0]' },
      { input: 'approve' },
    );
    const cwd = await folderWith({ 'a.yaml': ASKING, 's.yaml': answers });

    const result = await run(
      cwd,
      'a.yaml',
      '--task',
      'x',
      '--script',
      's.yaml',
      '--json',
      '--interactive',
      '--prompts',
    );

    expect(result.code).toBe(0);
    const prompts = linesOf(result).filter((line) => line['event'] === 'prompt');
    expect(prompts[0]?.['text']).not.toContain('PostgreSQL');
    expect(prompts[1]?.['text']).toMatch(/Which database\?\n.*PostgreSQL/);
    expect(prompts[2]?.['text']).toContain('too large');
    expect(linesOf(result).filter((line) => line['method'] === 'gate')).toMatchObject([{ rule: 1 }, { rule: 0 }]);
  });

  test('a text that decides nothing at an approval ends the run with 2', async () => {
    const answers = script({ output: '[STEP:0]' }, { input: 'maybe' });
    const cwd = await folderWith({ 'a.yaml': ASKING, 's.yaml': answers });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml', '--json', '--interactive');

    expect(result.code).toBe(2);
    expect(linesOf(result).at(-1)?.['reason']).toMatch(/^bad_input: .*maybe/);
  });

  test('answer at the terminal: questions on standard error, a word that decides nothing is asked again', async () => {
    const cwd = await folderWith({ 'a.yaml': ASKING.replace('initial_movement: plan', 'initial_movement: sign') });

    const result = await planwright(['piece', 'run', 'a.yaml', '--task', 'x', '--interactive', '--json'], {
      cwd,
      input: 'maybe\napprove\n',
    });

    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('Expected `approve` or `reject REASON`') });
    expect(linesOf(result).map((line) => line['event'])).toEqual(['input', 'complete', 'end']);
  });

  test('whose input ends abort the run', async () => {
    const cwd = await folderWith({ 'a.yaml': ASKING.replace('initial_movement: plan', 'initial_movement: sign') });

    const result = await run(cwd, 'a.yaml', '--task', 'x', '--interactive', '--json');

    expect(result.code).toBe(3);
    expect(linesOf(result).at(-1)?.['reason']).toMatch(/^input_missing: /);
  });

  test('may stop it with Ctrl-C: the end is told, exit code 3', async () => {
    const cwd = await folderWith({ 'a.yaml': ASKING.replace('initial_movement: plan', 'initial_movement: sign') });

    const result = await planwright(['piece', 'run', 'a.yaml', '--task', 'x', '--interactive', '--json'], {
      cwd,
      interruptAt: '"input"',
    });

    expect(result.code).toBe(3);
    expect(linesOf(result).at(-1)).toMatchObject({
      event: 'end',
      status: 'aborted',
      reason: expect.stringMatching(/^interrupted/),
    });
  });
});

test('a piece of the system of the sources runs unchanged, its reports in its folder', async () => {
  const fixtures = path.join(import.meta.dirname, '../../fixtures/pieces');
  const cwd = await folderWith({});
  const [piece, answers] = ['default.yaml', 'default.script.yaml'].map((file) => path.join(fixtures, file));

  const result = await run(
    cwd,
    `${piece}`,
    '--task',
    'ログイン画面を追加する',
    '--script',
    `${answers}`,
    '--reports',
    'out',
    '--json',
  );

  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(linesOf(result).at(-1)).toEqual({ event: 'end', status: 'completed', iterations: 13 });
  const [folder = ''] = await readdir(path.join(cwd, 'out'));
  expect(folder).toMatch(/^\d{8}-\d{6}-ログイン画面を追加する$/);
  expect((await readdir(path.join(cwd, 'out', folder))).sort()).toEqual([
    '00-plan.md',
    '01-coder-scope.md',
    '02-coder-decisions.md',
    '04-ai-review.md',
    '04-ai-review.md.1',
    '04-ai-review.md.2',
    '05-architect-review.md',
    '05-architect-review.md.1',
    '06-security-review.md',
    '06-security-review.md.1',
    '07-supervisor-validation.md',
    'summary.md',
  ]);
  expect(await readFile(path.join(cwd, 'out', folder, '04-ai-review.md'), 'utf8')).toBe('# 3回目 REJECT');
});

test('people see progress in words, without what would move the cursor', async () => {
  const output = 'Ready \u001b[2J now.\n[STEP:0]';
  const cwd = await folderWith({ 'a.yaml': PIECE, 's.yaml': script({ output }) });

  const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.yaml');

  expect(result.code).toBe(0);
  expect(result.stdout).toContain('▶ plan  (iteration 1, run 1 of it)');
  expect(result.stdout).toContain('✔ completed after 1 iterations');
  expect(result.stdout).not.toContain('\u001b');
});

test('100 MB on one line is cut at its beginning, and the tag at its end still counts', async () => {
  const output = `${'x'.repeat(100 * 1024 * 1024)} [STEP:0]`;
  const cwd = await folderWith({ 'a.yaml': PIECE, 's.json': script({ output }) });

  const result = await run(cwd, 'a.yaml', '--task', 'x', '--script', 's.json', '--json');

  expect(result.code).toBe(0);
  const lines = linesOf(result);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'warning', code: 'output_truncated' }));
  const report = lines.find((line) => line['event'] === 'report');
  expect(String(report?.['text']).length).toBeLessThanOrEqual(1024 * 1024);
});
