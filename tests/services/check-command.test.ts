import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Workplan } from '../../src/domain/workplan/schema.ts';
import { type CheckAnswer, checkPlanFile } from '../../src/wire/check.ts';
import { plan, unit } from '../unit/domain/workplan/plans.ts';
import { folderWith, planwright } from './piece-commands/planwright.ts';

const GOOD = plan({
  findings: [{ text: 'Here.', path: 'src/orders.ts', startLine: 1, endLine: 2 }],
  decisions: [],
  units: [unit('U1', { covers: ['R1', 'R2'], files: [{ path: 'src/orders.ts', state: 'existing' }] })],
});
const BAD: Workplan = { ...GOOD, findings: [{ text: 'Here.', path: 'src/Orders.ts', startLine: 1, endLine: 2 }] };

let folder: string;

/** A repository whose first commit holds the file of the plan, and whose second one does not. */
beforeEach(async () => {
  folder = await folderWith({ 'repo/src/orders.ts': 'one\ntwo\n' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
  git('rm', '-q', 'src/orders.ts');
  git('commit', '-q', '-m', 'Second');
});

function git(...args: string[]): string {
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'Alice',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'Alice',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  return execFileSync('git', args, { cwd: path.join(folder, 'repo'), env, encoding: 'utf8' }).trim();
}

async function file(value: unknown): Promise<string> {
  const name = path.join(folder, 'plan.json');
  await writeFile(name, typeof value === 'string' ? value : JSON.stringify(value));
  return name;
}

async function check(value: unknown, at: string | null, repo = 'repo'): Promise<CheckAnswer> {
  return checkPlanFile({ file: await file(value), folder: path.join(folder, repo), at });
}

const failed = (answer: CheckAnswer) => answer.checks.filter(({ ok }) => !ok).map(({ code }) => code);

describe('the commit', () => {
  test('is HEAD', async () => {
    const answer = await check(GOOD, null);
    expect(answer.commit).toBe(git('rev-parse', 'HEAD'));
    expect(failed(answer)).toEqual(['findings_exist', 'files_exist']);
  });

  test('is the one that is named, by any name', async () => {
    expect(failed(await check(GOOD, 'HEAD~1'))).toEqual([]);
  });

  test('is the one that the findings cite', async () => {
    const commit = git('rev-parse', 'HEAD~1');
    const answer = await check({ ...GOOD, findings: GOOD.findings.map((finding) => ({ ...finding, commit })) }, null);
    expect(answer).toMatchObject({ commit });
    expect(failed(answer)).toEqual([]);
  });

  test('of a bare repository is found too', async () => {
    git('clone', '-q', '--bare', '.', '../bare');
    expect(failed(await check(GOOD, 'HEAD~1', 'bare'))).toEqual([]);
  });

  test('of a plain folder is none: its files count as they are', async () => {
    const plain = await folderWith({ 'src/orders.ts': 'one\ntwo\n' });
    const answer = await checkPlanFile({ file: await file(GOOD), folder: plain, at: null });
    expect(answer.commit).toBeNull();
    expect(failed(answer)).toEqual([]);
  });
});

test('a path in another case is told by its spelling', async () => {
  const answer = await check(BAD, 'HEAD~1');
  expect(answer.checks.filter(({ ok }) => !ok).map(({ message }) => message)).toEqual([
    expect.stringContaining('write src/orders.ts'),
  ]);
});

describe('questions', () => {
  const decided = { ...GOOD, decisions: [{ text: 'CSV.', questionId: 'format', confirmed: true }] };

  test('are not known from a plan alone', async () => {
    const answer = await check(decided, 'HEAD~1');
    expect(answer.questionsKnown).toBe(false);
    expect(failed(answer)).toEqual([]);
  });

  test.each([
    ['answered by its state', { questions: [{ id: 'format', state: 'answered' }] }, []],
    [
      'answered by an answer',
      { questions: [{ id: 'format', state: 'open' }], answers: [{ questionId: 'format' }] },
      [],
    ],
    ['still open', { questions: [{ id: 'format', state: 'open' }] }, ['decisions_answered', 'questions_decided']],
    ['never asked', { questions: [] }, ['decisions_asked', 'decisions_answered']],
  ])('of a status are: %s', async (_name, status, codes) => {
    const answer = await check({ ...status, workplan: decided }, 'HEAD~1');
    expect(answer.questionsKnown).toBe(true);
    expect(failed(answer)).toEqual(codes);
  });
});

test('a plan of the wrong shape says each place', async () => {
  const answer = await check({ ...GOOD, goal: '', units: [{ ...GOOD.units[0], size: 'XL' }] }, null);
  expect(answer.checks.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^goal: /),
    expect.stringMatching(/^units\.0\.size: /),
  ]);
});

test.each([
  ['no JSON', '{', null, 'repo', 'no_workplan'],
  ['no plan', { a: 1 }, null, 'repo', 'no_workplan'],
  ['no such folder', GOOD, null, 'none', 'folder_missing'],
  ['no such commit', GOOD, 'none', 'repo', 'commit_missing'],
  ['a commit of a plain folder', GOOD, 'HEAD', '.', 'no_git_repository'],
])('%s cannot be checked', async (_name, value, at, repo, code) => {
  await expect(check(value, at, repo)).rejects.toMatchObject({ code });
});

describe('the command', () => {
  test('tells problems by code, and ends with 1', async () => {
    const { code, stdout } = await planwright([
      'check',
      await file(BAD),
      '--repo',
      path.join(folder, 'repo'),
      '--at',
      'HEAD~1',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^findings_exist: findings\[0\], path: .*write src\/orders\.ts\.\n1 problems at [0-9a-f]{12}; 17 checks hold\./,
    );
  });

  test('ends with 0 when all holds, as one JSON object', async () => {
    const { code, stdout } = await planwright([
      'check',
      await file(GOOD),
      '--repo',
      path.join(folder, 'repo'),
      '--at',
      'HEAD~1',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, commit: git('rev-parse', 'HEAD~1'), questionsKnown: false });
  });

  test('ends with 2 when it is called wrongly', async () => {
    const { code, stderr } = await planwright(['check', 'plan.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('expected --repo DIR');
  });

  test('ends with 2 when the file cannot be read', async () => {
    const { code, stderr } = await planwright(['check', path.join(folder, 'none.json'), '--repo', '.']);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be read');
  });
});
