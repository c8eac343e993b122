import { describe, expect, test } from 'vitest';
import { tokensOf, tokensOfText, tokensOfTools } from '../../../../src/app/agent/tokens.ts';
import { echoTool } from '../../../helpers/agent-input.ts';

describe('tokens are estimated rather too high', () => {
  test.each([
    ['English prose of some length, as models split it into words and parts of words.', 18],
    ['const notes = new Map<number, Note>(); // keeps notes by their id', 17],
    ['課題の説明が足りない場合は、質問をまとめて提示します。', 22],
    ['', 0],
  ])('%s', (text, real) => {
    const estimated = tokensOfText(text);

    expect(estimated).toBeGreaterThanOrEqual(real);
    expect(estimated).toBeLessThanOrEqual(real * 2);
  });

  test('of messages by all that they hold', () => {
    const result = { id: 'c1', name: 'echo', output: 'x'.repeat(3600), isError: false };
    const native = { provider: 'anthropic', content: [{ type: 'reasoning', text: 'y'.repeat(3600) }] };

    expect(tokensOf({ role: 'tool', results: [result, result] })).toBeGreaterThan(2000);
    expect(tokensOf({ role: 'assistant', text: '', toolCalls: [], native })).toBeGreaterThan(1000);
  });

  test('of tools of the same schema each by its own words', () => {
    const [short] = [echoTool('a').definition];
    const long = { ...short, name: 'b', description: 'z'.repeat(3600) };

    expect(tokensOfTools([short, long])).toBeGreaterThan(1000 + 2 * tokensOfTools([short]) - 100);
  });
});
