import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const anthropic = { MODEL_PROVIDER: 'anthropic', MODEL_ID: 'claude-x', ANTHROPIC_API_KEY: 'sk-ant-secret' };

describe('models by role', () => {
  test('a role without a model of its own is left to the default', () => {
    const { models } = loadConfig({
      ...anthropic,
      MODEL_PLAN: 'claude-y',
      MODEL_FALLBACK: 'openai:gpt-z',
      OPENAI_API_KEY: 'k',
    });

    expect(models.roles).toEqual({
      default: 'anthropic:claude-x',
      plan: 'anthropic:claude-y',
      fallback: 'openai:gpt-z',
    });
  });

  test('a name may hold colons of its own', () => {
    const env = {
      MODEL_PROVIDER: 'compatible',
      COMPATIBLE_BASE_URL: 'http://ollama:11434/v1',
      MODEL_ID: 'llama3.1:8b',
    };

    expect(loadConfig(env).models.roles.default).toBe('compatible:llama3.1:8b');
  });

  test('projects may choose what the settings name, and nothing else', () => {
    const env = {
      ...anthropic,
      MODEL_TABLE: '{"claude-z": {"context": 200000}}',
      MODELS_ALLOWED: 'claude-w, openai:gpt-z',
    };

    expect(loadConfig(env).models.allowed).toEqual([
      'anthropic:claude-x',
      'anthropic:claude-z',
      'anthropic:claude-w',
      'openai:gpt-z',
    ]);
  });

  test('without a model nothing is asked, whatever else is named', () => {
    expect(loadConfig({ MODEL_PLAN: 'claude-y', ANTHROPIC_API_KEY: 'k' }).models.roles).toEqual({ default: '' });
  });
});

describe('what cannot work is told at the start', () => {
  test('a provider without its key, and without a model', () => {
    expect(problemsOf({ MODEL_PROVIDER: 'openai' })).toEqual([
      'OPENAI_API_KEY: not set; MODEL_PROVIDER=openai needs it',
      'MODEL_ID: not set; name the model that openai is asked for',
    ]);
  });

  test('a compatible server without its address', () => {
    expect(problemsOf({ MODEL_PROVIDER: 'compatible', MODEL_ID: 'm' })).toEqual([
      'COMPATIBLE_BASE_URL: not set; MODEL_PROVIDER=compatible needs it',
    ]);
  });

  test('a role of a provider that is not set up', () => {
    expect(problemsOf({ ...anthropic, MODEL_JUDGE: 'google:gemini-x' })).toEqual([
      'MODEL_JUDGE: names a model of google, but GOOGLE_API_KEY is not set',
    ]);
  });

  test('a limit of money without a price: unknown is never free', () => {
    const priced = {
      ...anthropic,
      MODEL_TABLE: '{"claude-x": {"price": {"input": 3, "output": 15}}}',
      BUDGET_RUN_MONEY: '2',
    };

    expect(problemsOf(priced)).toEqual([]);
    expect(problemsOf({ ...priced, MODEL_JUDGE: 'claude-y' })).toEqual([
      'MODEL_TABLE: expected a price of the model of MODEL_JUDGE; BUDGET_RUN_MONEY and BUDGET_DAY_MONEY cannot be kept without',
    ]);
  });

  test('a table that is no JSON, or holds something else, without repeating it', () => {
    const [text = ''] = problemsOf({
      ...anthropic,
      MODEL_TABLE: '{"claude-x": {"price": {"input": "sk-ant-secret"}}}',
    });

    expect(text).toMatch(/^MODEL_TABLE: expected a JSON object .*claude-x\.price\.input/);
    expect(text).not.toContain('sk-ant-secret');
    expect(problemsOf({ ...anthropic, OPENAI_HEADERS: 'x: y' })).toEqual([
      'OPENAI_HEADERS: expected a JSON object of header names and values',
    ]);
  });

  // Whoever sends such a header says so with the key in it.
  test.each(['k\u200B', 'k…', 'k\u0001'])('a key that no header can hold: %j', (key) => {
    expect(problemsOf({ ...anthropic, ANTHROPIC_API_KEY: key })).toEqual([
      'ANTHROPIC_API_KEY: expected a key of Anthropic: printable ASCII, no white space',
    ]);
    expect(problemsOf({ ...anthropic, OPENAI_HEADERS: JSON.stringify({ 'X-Key': key }) })).toEqual([
      'OPENAI_HEADERS: expected a JSON object of header names and values (wrong at X-Key)',
    ]);
  });
});

test('limits that are not set are none', () => {
  const { budget } = loadConfig({
    BUDGET_RUN_TOKENS: '500000',
    BUDGET_DAY_MONEY: '12.50',
    BUDGET_DAY_MINUTES: '90',
  }).models;

  expect(budget).toEqual({
    run: { tokens: 500_000, money: null, wallTimeMs: null },
    day: { tokens: null, money: 12.5, wallTimeMs: 5_400_000 },
  });
});
