import { describe, expect, test } from 'vitest';
import { budgetOf, checkPlanBudget, modelsOf } from '../../../../src/app/actions/budget.ts';
import type { OperatorSettings } from '../../../../src/app/actions/types.ts';
import { parseSettings } from '../../../../src/app/project-settings.ts';
import { UNLIMITED } from '../../../../src/domain/run/budget.ts';
import type { ModelFacts } from '../../../../src/ports/model.ts';
import type { ModelUsageSum } from '../../../../src/ports/usage.ts';
import { createService } from '../setup.ts';

function settingsOf(text: string) {
  const read = parseSettings(text);
  if (!read.ok) throw new Error(read.message);
  return read.settings;
}

const used: ModelUsageSum = {
  model: 'anthropic:claude-x',
  inputTokens: 900,
  outputTokens: 100,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  money: 3,
  unpriced: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
  ms: 1000,
};
const offered = {
  provider: 'anthropic',
  providers: ['anthropic'],
  models: ['anthropic:claude-x', 'anthropic:claude-y'],
};

function deps(operator: Partial<OperatorSettings>, price: ModelFacts['price'] = { input: 1, output: 1 }, day = [used]) {
  const { deps: service } = createService();
  return {
    ...service,
    operator: { ...service.operator, models: { default: 'anthropic:claude-x' }, currency: 'EUR', ...operator },
    usage: { ofRun: async () => [], ofProject: async () => day },
    model: { about: () => ({ contextTokens: null, price }) },
  };
}

describe('the budget of a project', () => {
  test('cannot exceed the operator’s', () => {
    const operator = { budget: { run: { tokens: 100, money: null, wallTimeMs: null }, day: UNLIMITED } };
    const settings = settingsOf('budget: {run: {tokens: 5000, money: 2, wall_time: 30m}, day: {tokens: 7}}');

    expect(budgetOf(operator, settings)).toEqual({
      run: { tokens: 100, money: 2, wallTimeMs: 1_800_000 },
      day: { tokens: 7, money: null, wallTimeMs: null },
    });
  });

  test.each([
    ['budget: {day: {tokens: 1000}}', '1,000 / 1,000 tokens'],
    ['budget: {day: {money: 2.5}}', '3.00 / 2.50 EUR'],
  ])('of the day that is used up refuses a plan: %s', async (text, amounts) => {
    const refused = await checkPlanBudget(deps({}), 1, settingsOf(text));

    expect(refused).toMatchObject({
      kind: 'refused',
      code: 'budget_exhausted',
      message: expect.stringContaining(amounts),
    });
  });

  test('of the day that is left lets it begin', async () => {
    expect(await checkPlanBudget(deps({}), 1, settingsOf('budget: {day: {tokens: 1001}}'))).toBeNull();
  });

  test('in money is refused where a model has no price: unknown is never zero', async () => {
    const refused = await checkPlanBudget(deps({}, null, []), 1, settingsOf('budget: {run: {money: 5}}'));

    expect(refused).toMatchObject({ code: 'price_unknown', message: expect.stringContaining('anthropic:claude-x') });
  });

  test('in money cannot count a day on which a model without a price was used', async () => {
    const unpriced = { ...used, unpriced: { ...used.unpriced, inputTokens: 5 } };
    const { model, ...rest } = deps({}, null, [unpriced]);
    const known = {
      about: (name: string) => ({ ...model.about(), price: name === used.model ? null : { input: 1, output: 1 } }),
    };
    const operator = { ...rest.operator, models: { default: 'anthropic:claude-y' } };

    const refused = await checkPlanBudget(
      { ...rest, operator, model: known },
      1,
      settingsOf('budget: {day: {money: 5}}'),
    );

    expect(refused).toMatchObject({ code: 'price_unknown' });
  });
});

describe('the models of a project', () => {
  test('stand in place of the operator’s for their role', () => {
    const operator = { models: { default: 'anthropic:claude-x', judge: 'anthropic:claude-y' }, offered };

    expect(modelsOf(operator, settingsOf('models: {plan: claude-y}'))).toEqual({
      default: 'anthropic:claude-x',
      judge: 'anthropic:claude-y',
      plan: 'anthropic:claude-y',
    });
  });

  test('are those that are offered', async () => {
    const refused = await checkPlanBudget(deps({ offered }), 1, settingsOf('models: {plan: claude-dear}'));

    expect(refused).toMatchObject({
      code: 'model_not_offered',
      message:
        'models.plan: anthropic:claude-dear is not offered here. Offered: anthropic:claude-x, anthropic:claude-y.',
    });
  });

  test('mean nothing where no model is asked', () => {
    expect(modelsOf({ models: { default: '' } }, settingsOf('models: {plan: claude-y}'))).toEqual({ default: '' });
  });
});
