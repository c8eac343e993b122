import type { ModelMessage } from '../../domain/run/messages.ts';

/** Characters of a conversation that is sent, some 150,000 tokens. */
export const conversationLimit = 600_000;

// Shorter results stay: leaving them out would win nothing.
const worthLeavingOut = 400;

/**
 * The conversation as it is sent: when it is longer than the limit, tool results are left out from the oldest on, each with a notice,
 * until it fits. What is stored stays whole, and the same conversation always gives the same result. Null: it does not fit even so.
 */
export function fitConversation(messages: ModelMessage[], limit: number = conversationLimit): ModelMessage[] | null {
  let size = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  if (size <= limit) return messages;
  const fitted = messages.map((message) => {
    if (message.role !== 'tool' || size <= limit) return message;
    const results = message.results.map((result) => {
      if (size <= limit || result.output.length <= worthLeavingOut) return result;
      const output = JSON.stringify({ notice: leftOut(result.output.length) });
      size -= result.output.length - output.length;
      return { ...result, output };
    });
    return { ...message, results };
  });
  return size <= limit ? fitted : null;
}

function leftOut(length: number): string {
  return `This result of ${length} characters was left out to keep the conversation short. Call the tool again if you need it.`;
}

function sizeOf(message: ModelMessage): number {
  if (message.role === 'user') return message.text.length;
  if (message.role === 'tool') return message.results.reduce((sum, result) => sum + result.output.length, 0);
  return message.text.length + (message.toolCalls.length > 0 ? JSON.stringify(message.toolCalls).length : 0);
}
