import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StatusAnswer } from '../../src/app/status.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const repo = path.join(root, 'sandbox/seed/acme/sample/repo');

interface DemoAnswer extends StatusAnswer {
  statuses: string[];
  durationMs: number;
}

let answer: DemoAnswer;
let printed: string;

beforeAll(async () => {
  // Whatever the person has in their environment: the demo brings its own.
  const env = {
    ...process.env,
    MODEL_PROVIDER: 'scripted',
    MODEL_SCRIPT: '/none.yaml',
    PIECES_DIR: '/none',
    PORT: 'x',
  };
  const { stdout } = await run(process.execPath, ['scripts/demo.ts', '--json'], { cwd: root, env, timeout: 120_000 });
  printed = stdout;
  answer = JSON.parse(stdout);
}, 130_000);

describe('the demo with --json', () => {
  test('prints one JSON object and nothing else', () => {
    expect(printed.trim().split('\n')).toHaveLength(1);
  });

  test('goes through exactly the five statuses', () => {
    expect(answer.statuses).toEqual(['NOT_STARTED', 'GENERATING', 'NEEDS_INPUT', 'GENERATING', 'COMPLETED']);
  });

  test('asks a question with at least two options, exactly one of them recommended', () => {
    const [question] = answer.questions;
    expect(question?.options.length).toBeGreaterThanOrEqual(2);
    expect(question?.options.filter((option) => option.recommended)).toHaveLength(1);
  });

  test('carries the answer into the plan as a confirmed decision', () => {
    const [given] = answer.answers;
    expect(answer.workplan?.decisions).toContainEqual(
      expect.objectContaining({ questionId: given?.questionId, confirmed: true }),
    );
  });

  test('plans at least three units, some of which depend on others', () => {
    const units = answer.workplan?.units ?? [];
    expect(units.length).toBeGreaterThanOrEqual(3);
    expect(units.filter((unit) => unit.dependsOn.length > 0).length).toBeGreaterThan(0);
  });

  test('cites only files and lines that exist in the sample repository, at the pinned commit', () => {
    const findings = answer.workplan?.findings ?? [];
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      const file = path.join(repo, finding.path);
      expect(existsSync(file), finding.path).toBe(true);
      expect(finding.endLine).toBeLessThanOrEqual(readFileSync(file, 'utf8').split('\n').length);
      expect(finding.url).toContain(`/-/blob/${finding.commit}/${finding.path}#L${finding.startLine}`);
    }
  });

  test('says who planned', () => {
    expect(answer.provider).toBe('offline (rule-based)');
  });

  test('scores the plan and links its notes', () => {
    expect(answer.scoreStatus ?? 'EVALUATED').toBe('EVALUATED');
    expect(answer.score?.value).toBeGreaterThan(0);
    expect(answer.noteUrls.length).toBeGreaterThanOrEqual(3);
  });
});
