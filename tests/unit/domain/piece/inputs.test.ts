import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractInputs } from '../../../../src/domain/piece/inputs.ts';
import type { InputSchema } from '../../../../src/domain/piece/types.ts';

const schema: InputSchema = {
  globals: [
    { name: 'scope', type: 'string', values: ['step', 'plan'] },
    { name: 'gaps', type: 'integer' },
    { name: 'share', type: 'number' },
    { name: 'done', type: 'boolean' },
    { name: 'said', type: 'string' },
  ],
  properties: [
    { name: 'notes', shape: { type: 'string', minLength: 2, maxLength: 5 } },
    { name: 'level', shape: { type: 'integer', minimum: 1, maximum: 3 } },
    { name: 'kind', shape: { type: 'string', enum: ['a', 'b'] } },
    { name: 'list', shape: { type: 'array', minLength: 1, maxLength: 2, items: { type: 'integer', minimum: 0 } } },
    { name: 'more', shape: { type: 'object' } },
    { name: 'gaps', shape: { type: 'integer', minimum: 0 } },
  ],
  required: ['scope'],
};

const fence = (text: string) => `Before.\n\`\`\`json:inputs\n${text}\n\`\`\`\nAfter.`;
const given = (value: object) => extractInputs(fence(JSON.stringify({ scope: 'plan', ...value })), schema);
const problems = (result: ReturnType<typeof extractInputs>) => (result.ok ? [] : result.problems);

describe('what is handed over', () => {
  test('variables and properties are told apart; one that is both stays a variable', () => {
    const result = given({
      gaps: 0,
      share: 0.5,
      done: false,
      said: 'x',
      notes: 'seen',
      list: [0, 2],
      more: { a: [1] },
    });

    expect(result).toEqual({
      ok: true,
      inputs: {
        variables: { scope: 'plan', gaps: 0, share: 0.5, done: false, said: 'x' },
        properties: { notes: 'seen', list: [0, 2], more: { a: [1] } },
      },
    });
  });

  test('of several fences the last counts', () => {
    const result = extractInputs(`${fence('{"scope": "step"}')}\n${fence('{"scope": "plan"}')}`, schema);

    expect(result).toEqual({ ok: true, inputs: { variables: { scope: 'plan' }, properties: {} } });
  });

  test('without a fence nothing is written, where nothing is required', () => {
    expect(extractInputs('no fence', { ...schema, required: [] })).toEqual({
      ok: true,
      inputs: { variables: {}, properties: {} },
    });
  });

  test('what no store takes is taken out of texts, also deep inside', () => {
    const text = '{"scope": "plan", "said": "a\\u0000\\ud800", "more": {"a": ["\\u0000"]}}';

    expect(extractInputs(fence(text), schema)).toEqual({
      ok: true,
      inputs: { variables: { scope: 'plan', said: 'a��' }, properties: { more: { a: ['�'] } } },
    });
  });
});

describe('what goes back', () => {
  test.each<[object, string]>([
    [{ scope: 'ok' }, 'json:inputs: `scope` must be one of "step", "plan", got "ok".'],
    [{ scope: 1 }, 'json:inputs: `scope` must be a text, got 1.'],
    [{ gaps: 1.5 }, 'json:inputs: `gaps` must be a whole number, got 1.5.'],
    [{ gaps: '1' }, 'json:inputs: `gaps` must be a whole number, got "1".'],
    [{ gaps: -1 }, 'json:inputs: `gaps` must be at least 0, got -1.'],
    [{ share: null }, 'json:inputs: `share` must be a number, got null.'],
    [{ done: 'true' }, 'json:inputs: `done` must be true or false, got "true".'],
    [{ said: 'x'.repeat(10_001) }, 'json:inputs: `said` must have at most 10000 characters.'],
    [{ notes: 'x' }, 'json:inputs: `notes` must have at least 2 characters.'],
    [{ notes: 'x'.repeat(6) }, 'json:inputs: `notes` must have at most 5 characters.'],
    [{ level: 0 }, 'json:inputs: `level` must be at least 1, got 0.'],
    [{ level: 4 }, 'json:inputs: `level` must be at most 3, got 4.'],
    [{ kind: 'c' }, 'json:inputs: `kind` must be one of "a", "b", got "c".'],
    [{ list: [] }, 'json:inputs: `list` must have at least 1 entries.'],
    [{ list: [1, 2, 3] }, 'json:inputs: `list` must have at most 2 entries.'],
    [{ list: [1, -1] }, 'json:inputs: `list` entry 2 must be at least 0, got -1.'],
    [{ list: [1, 'x'] }, 'json:inputs: `list` entry 2 must be a whole number, got "x".'],
    [{ list: { length: 1 } }, 'json:inputs: `list` must be a list, got {"length":1}.'],
    [{ more: [] }, 'json:inputs: `more` must be an object, got [].'],
    [{ more: null }, 'json:inputs: `more` must be an object, got null.'],
    [{ more: 'x'.repeat(99) }, `json:inputs: \`more\` must be an object, got "${'x'.repeat(59)}….`],
    [
      { other: 1 },
      'json:inputs: `other` cannot be written here; this movement hands over scope, gaps, share, done, said, notes, level, kind, list, more.',
    ],
    [{ constructor: 1 }, 'json:inputs: `constructor` cannot be written here'],
  ])('%j', (value, problem) => {
    expect(problems(given(value))).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [{ notes: 'xx', level: 1, list: [0] }],
    [{ notes: 'xxxxx', level: 3, list: [0, 0], kind: 'b', said: 'x'.repeat(10_000) }],
  ])('just within the bounds: %#', (value) => {
    expect(given(value).ok).toBe(true);
  });

  test.each([
    [
      'no fence at all',
      'must hold one fenced block that begins with a line ```json:inputs, with scope; there is none.',
    ],
    [fence('{"gaps": 1}'), 'json:inputs: `scope` is missing.'],
    [fence('{'), 'is no valid JSON'],
    [fence('[]'), 'must hold one JSON object'],
    [fence('null'), 'must hold one JSON object'],
    [fence('"x"'), 'must hold one JSON object'],
    [fence('{"scope": "plan", "more": {"a\\u0000": 1}}'), 'a name with a control character'],
    [fence('{"scope": "plan", "more": {"__proto__": 1}}'), 'a name with a control character'],
    [fence(`{"scope": "plan", "more": ${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`), 'nested too deep'],
    [fence(`{"scope": "plan", "said": "${'x'.repeat(262_144)}"}`), 'is too long: at most 262144 characters'],
  ])('%#', (output, problem) => {
    expect(problems(extractInputs(output, schema))).toEqual([expect.stringContaining(problem)]);
  });

  test('everything that is wrong at once, at most twenty', () => {
    const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));

    expect(problems(extractInputs(fence(JSON.stringify(wrong)), schema))).toHaveLength(20);
    expect(problems(given({ gaps: 'x', done: 1 }))).toHaveLength(2);
  });

  test('a movement that hands over nothing says so', () => {
    const nothing = { globals: [], properties: [], required: [] };

    expect(problems(extractInputs(fence('{"x": 1}'), nothing))[0]).toContain('this movement hands over nothing');
  });
});

test('whatever stands in the fence, what is accepted fits its declaration', () => {
  const value = fc.dictionary(fc.constantFrom('scope', 'gaps', 'done', 'notes', 'x'), fc.jsonValue(), { maxKeys: 4 });

  fc.assert(
    fc.property(value, (object) => {
      const result = extractInputs(fence(JSON.stringify(object)), schema);
      if (!result.ok) {
        expect(result.problems.length).toBeGreaterThan(0);
        return;
      }
      expect(['step', 'plan']).toContain(result.inputs.variables['scope']);
      expect(
        Object.keys(result.inputs.variables).every((name) => schema.globals.some((one) => one.name === name)),
      ).toBe(true);
    }),
  );
});
