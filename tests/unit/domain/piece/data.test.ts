import { describe, expect, test } from 'vitest';
import { extractData } from '../../../../src/domain/piece/data.ts';

const request = '```json:context_request\n{"missing": ["who it is for"]}\n```';

function problems(output: string, kinds: Parameters<typeof extractData>[1]): string {
  const result = extractData(output, kinds);
  return result.ok ? 'ok' : result.problems.join('\n');
}

describe('extractData', () => {
  test('gives the kind and the value as its schema returns it', () => {
    expect(extractData(`Too thin.\n${request}\n[STEP:1]`, ['questions', 'context_request'])).toEqual({
      ok: true,
      produced: { kind: 'context_request', value: { missing: ['who it is for'] } },
    });
  });

  test('of several fences of the kind the last counts', () => {
    const output = `\`\`\`json:context_request\n{"missing": "draft"}\n\`\`\`\n${request}`;
    expect(extractData(output, ['context_request'])).toMatchObject({ ok: true });
    expect(problems(`${request}\n\`\`\`json:context_request\n{}\n\`\`\``, ['context_request'])).toContain(
      '`missing`: expected array',
    );
  });

  test('schema defaults are filled in', () => {
    const output = '```json:coverage\n{"requirements": [], "units": []}\n```';
    expect(extractData(output, ['coverage'])).toEqual({
      ok: true,
      produced: { kind: 'coverage', value: { requirements: [], units: [], feedback: [] } },
    });
  });

  test.each([
    [
      'nothing at all',
      'hello',
      ['review'],
      'exactly one fenced block that begins with a line ```json:review; there is none',
    ],
    ['no kind, only json', '```json\n{}\n```', ['review'], 'there is none'],
    ['a kind that is not allowed', request, ['review'], 'got only json:context_request, which is not allowed here'],
    ['in a report', `\`\`\`\`markdown\n${request}\n\`\`\`\``, ['context_request'], 'there is none'],
    [
      'two kinds',
      `${request}\n\`\`\`json:review\n{"findings": []}\n\`\`\``,
      ['review', 'context_request'],
      'exactly one kind of data, got json:context_request and json:review',
    ],
    ['no JSON', '```json:review\n{findings: []}\n```', ['review'], 'no valid JSON'],
    [
      'a wrong value',
      '```json:review\n{"findings": [{"text": "x"}]}\n```',
      ['review'],
      'json:review: `findings[0].blocking`: expected boolean, received undefined.',
    ],
    ['no object', '```json:review\n[]\n```', ['review'], 'json:review: the value: expected object, received array.'],
  ] as const)('%s is a problem', (_, output, kinds, part) => {
    expect(problems(output, [...kinds])).toContain(part);
  });

  test('many problems are cut, and counted', () => {
    const output = `\`\`\`json:review\n{"findings": [${Array(50).fill('{"text": "x"}').join(',')}]}\n\`\`\``;
    const result = extractData(output, ['review']);
    expect(result.ok ? [] : result.problems).toHaveLength(21);
    expect(problems(output, ['review'])).toContain('30 more problems');
  });

  test('keys named after the prototype change nothing', () => {
    const output = '```json:context_request\n{"missing": ["x"], "__proto__": {"y": 1}}\n```';
    const result = extractData(output, ['context_request']);
    expect(result).toEqual({ ok: true, produced: { kind: 'context_request', value: { missing: ['x'] } } });
  });

  test('deep nesting is a problem, no crash', () => {
    expect(problems(`\`\`\`json:review\n${'['.repeat(200_000)}\n\`\`\``, ['review'])).toContain('no valid JSON');
  });
});
