import { describe, expect, test } from 'vitest';
import { checkContinueBudget } from '../../../../src/app/actions/budget.ts';
import { parseSettings } from '../../../../src/app/project-settings.ts';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import type { ModelUsageSum } from '../../../../src/ports/usage.ts';
import { createService, planningPiece, startRun } from '../setup.ts';

const NONE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };
const used: ModelUsageSum = { ...NONE, model: 'm', inputTokens: 900, money: 0, unpriced: NONE, ms: 0 };

async function check(settings: string, options: { piece?: string; waitsFor?: object; day?: ModelUsageSum[] } = {}) {
  const service = createService();
  const piece = {
    ...planningPiece,
    text: planningPiece.text.replace('max_iterations: 8', `max_iterations: 8\n${options.piece ?? ''}`),
  };
  const claimed = await startRun(service.store, { piece });
  const read = parseSettings(settings);
  if (!read.ok) throw new Error(read.message);
  const kind = options.waitsFor === undefined ? ('question' as const) : ('budget' as const);
  const row = { ...claimed.row, pause: { id: 'p', kind }, view: { budget: options.waitsFor } };
  const deps = {
    ...service.deps,
    pieceOf: createPieceCache(),
    usage: { ofRun: async () => [used], ofProject: async () => options.day ?? [] },
  };
  return checkContinueBudget(deps, row, read.settings);
}

const waits = { scope: 'run', what: 'tokens', used: 900, limit: 1000, next: 300 };

describe('a Continue', () => {
  test('of a run without limits asks for nothing and changes nothing', async () => {
    expect(await check('')).toEqual({ refused: null, budget: null });
  });

  test('needs room for the call that the run waits for', async () => {
    const text = (tokens: number) => `budget: {run: {tokens: ${tokens}}}`;

    expect(await check(text(1199), { waitsFor: waits })).toMatchObject({ refused: { code: 'budget_exhausted' } });
    expect(await check(text(1200), { waitsFor: waits })).toMatchObject({
      refused: null,
      budget: { run: { tokens: 1200 } },
    });
  });

  test('tells that the limit is gone where it is', async () => {
    const { refused, budget } = await check('', { waitsFor: waits });

    expect([refused, budget?.run.tokens]).toEqual([null, null]);
  });

  test('cannot pass what the piece of the run allows, and says what to do', async () => {
    const { refused } = await check('budget: {run: {tokens: 99999}}', {
      piece: 'budget: {tokens: 900}',
      waitsFor: waits,
    });

    expect(refused).toMatchObject({
      code: 'budget_exhausted',
      message: expect.stringContaining('The piece itself limits it'),
    });
  });

  test('at any pause needs that something is left of the day', async () => {
    expect(await check('budget: {day: {tokens: 900}}', { day: [used] })).toMatchObject({
      refused: { code: 'budget_exhausted', message: expect.stringContaining('next day') },
    });
    expect(await check('budget: {day: {tokens: 901}}', { day: [used] })).toMatchObject({ refused: null });
  });
});
