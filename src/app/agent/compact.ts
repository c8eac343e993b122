/** Shortening a conversation that comes near the model's context limit: once, well below it, so that it then stays as it is (and cached). */
import type { ModelMessage } from '../../domain/run/messages.ts';
import { tokensOf, tokensOfAll, tokensOfText } from './tokens.ts';

export interface ContextBounds {
  /** Tokens at which the conversation is shortened. */
  shortenAt: number;
  /** How far. */
  shortenTo: number;
  /** What cannot be sent at all; null: nothing is known to be too long. */
  most: number | null;
}

/** Where no limit is known (no model, or a script). */
const ROOMY: ContextBounds = { shortenAt: 150_000, shortenTo: 75_000, most: null };
/** Kept free for the answer. */
const ANSWER = 16_000;

/** `fixed`: tokens that are sent besides the conversation. */
export function boundsOf(contextTokens: number | null, fixed: number): ContextBounds {
  if (contextTokens === null) return ROOMY;
  const room = Math.max(0, contextTokens - Math.min(ANSWER, Math.floor(contextTokens / 4)) - fixed);
  return { shortenAt: Math.floor(room * 0.85), shortenTo: Math.floor(room * 0.5), most: room };
}

// Shorter results stay: leaving them out would win nothing.
const WORTH_LEAVING_OUT = 100;

/**
 * The conversation with tool results left out from the oldest on, then texts said before message `from`, each with a notice, until at most
 * `to` tokens are left or nothing more can go. The newest results, which the agent has not seen, go only where more than `must` would be
 * left. The same conversation always gives the same result; what is not changed is the same object.
 */
export function compact(
  messages: readonly ModelMessage[],
  { to, must, from }: { to: number; must: number; from: number },
): ModelMessage[] {
  let size = tokensOfAll(messages);
  const shortened = [...messages];
  const newest = messages.findLastIndex(({ role }) => role === 'tool');
  const change = (index: number, make: (message: ModelMessage) => ModelMessage, enough = to): void => {
    const message = shortened[index];
    if (message === undefined || size <= enough) return;
    const short = make(message);
    if (short === message) return;
    size -= tokensOf(message) - tokensOf(short);
    shortened[index] = short;
  };
  for (let index = 0; index < newest; index += 1) change(index, withoutResults);
  for (let index = 0; index < from; index += 1) change(index, withoutText);
  change(newest, withoutResults, must);
  return shortened;
}

function withoutResults(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool' || message.results.every(({ output }) => isShort(output))) return message;
  const results = message.results.map((result) =>
    isShort(result.output)
      ? result
      : { ...result, output: JSON.stringify({ notice: resultLeftOut(result.output.length) }) },
  );
  return { ...message, results };
}

function withoutText(message: ModelMessage): ModelMessage {
  if (message.role === 'tool' || isShort(message.text)) return message;
  const text = `(This text of ${message.text.length} characters was left out to keep the conversation short.)`;
  if (message.role === 'user') return { role: 'user', text };
  return { role: 'assistant', text, toolCalls: message.toolCalls };
}

function resultLeftOut(length: number): string {
  return `This result of ${length} characters was left out to keep the conversation short. Call the tool again if you need it.`;
}

function isShort(text: string): boolean {
  return tokensOfText(text) <= WORTH_LEAVING_OUT;
}
