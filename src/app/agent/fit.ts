import type { ModelMessage } from '../../domain/run/messages.ts';

/** Characters of a conversation above which older parts are left out, some 150,000 tokens. */
export const conversationLimit = 600_000;

/** What cannot be shortened, the prompt at hand above all, may be longer: a previous output alone may have 1 MiB. */
export const longestConversation = 8_000_000;

// Shorter results stay: leaving them out would win nothing.
const worthLeavingOut = 400;

/**
 * The conversation as it is sent: above the limit tool results are left out from the oldest on, then texts said before message `from`,
 * each with a notice, until it fits. What is stored stays whole, and the same conversation always gives the same result. Null: even so it
 * is longer than `longest`.
 */
export function fitConversation(
  messages: ModelMessage[],
  limits: { limit: number; longest: number; from: number },
): ModelMessage[] | null {
  const { limit, longest, from } = limits;
  let size = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  if (size <= limit) return messages;
  const shorten = (text: string, notice: (length: number) => string): string => {
    if (size <= limit || text.length <= worthLeavingOut) return text;
    const short = notice(text.length);
    size -= text.length - short.length;
    return short;
  };
  const withoutResults = messages.map((message) => {
    if (message.role !== 'tool' || size <= limit) return message;
    const results = message.results.map((result) => ({
      ...result,
      output: shorten(result.output, (length) => JSON.stringify({ notice: leftOut(length) })),
    }));
    return { ...message, results };
  });
  const fitted = withoutResults.map((message, index) => {
    if (message.role === 'tool' || index >= from || size <= limit) return message;
    return { ...message, text: shorten(message.text, textLeftOut) };
  });
  return size <= longest ? fitted : null;
}

function textLeftOut(length: number): string {
  return `(This text of ${length} characters was left out to keep the conversation short.)`;
}

function leftOut(length: number): string {
  return `This result of ${length} characters was left out to keep the conversation short. Call the tool again if you need it.`;
}

function sizeOf(message: ModelMessage): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.results.reduce((sum, result) => sum + result.output.length, 0);
  return message.text.length + (message.toolCalls.length > 0 ? JSON.stringify(message.toolCalls).length : 0);
}
