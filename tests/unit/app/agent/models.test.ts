import { describe, expect, test } from 'vitest';
import { chooseModel, modelOfRole } from '../../../../src/app/agent/models.ts';

const settings = {
  models: { default: 'anthropic:claude-x', plan: 'anthropic:claude-y' },
  offered: {
    provider: 'anthropic',
    providers: ['anthropic', 'openai'],
    models: ['anthropic:claude-x', 'anthropic:claude-y', 'openai:gpt-z'],
  },
};

function movement(more: { provider?: string; model?: string; produces?: ('workplan' | 'research' | 'score')[] } = {}) {
  return { name: 'step', produces: [], ...more };
}

describe('the model of a movement', () => {
  test('is its role’s, by what it hands over', () => {
    expect(chooseModel(settings, movement({ produces: ['workplan'] })).model).toBe('anthropic:claude-y');
    expect(chooseModel(settings, movement({ produces: ['score'] })).model).toBe('anthropic:claude-x');
    expect(chooseModel(settings, movement()).model).toBe('anthropic:claude-x');
    expect(modelOfRole({ models: {} }, 'judge')).toBe('');
  });

  test.each([
    [{ provider: 'openai', model: 'gpt-new' }, 'openai:gpt-new'],
    [{ provider: 'openai' }, 'openai:gpt-z'],
    [{ model: 'claude-y' }, 'anthropic:claude-y'],
    [{ model: 'openai:gpt-z' }, 'openai:gpt-z'],
  ])('is its own where it is offered: %o', (named, expected) => {
    expect(chooseModel(settings, movement(named))).toEqual({ model: expected, passedOver: null });
  });

  test.each([{ provider: 'claude', model: 'opus' }, { provider: 'google', model: 'gemini-x' }, { model: 'opus' }])(
    'is its role’s, and told, where it is not: %o',
    (named) => {
      const { model, passedOver } = chooseModel(settings, movement(named));

      expect(model).toBe('anthropic:claude-x');
      expect(passedOver).toContain('not offered here; anthropic:claude-x is used');
    },
  );

  test('without a model at all nothing else is asked', () => {
    expect(chooseModel({ models: { default: '' } }, movement({ provider: 'openai', model: 'gpt-z' }))).toMatchObject({
      model: '',
    });
  });
});
