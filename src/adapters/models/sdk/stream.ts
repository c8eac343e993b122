import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { ToolCall } from '../../../domain/run/messages.ts';
import { TransientFailure } from '../../../ports/failures.ts';

/** A stream read to its end. */
export interface Collected {
  text: string;
  toolCalls: ToolCall[];
  /** Calls whose input could not be read, or of a tool that does not exist. */
  invalidCalls: number;
  finishReason: string;
  usage: LanguageModelUsage | undefined;
}

/** How an answer can have ended; `error`, `interrupted` and nothing at all are no end. */
const ENDED: ReadonlySet<string> = new Set(['stop', 'length', 'tool-calls', 'content-filter', 'other']);

/**
 * Reads the stream of one step. @throws what came as an error in it, and `TransientFailure` for one that ends without saying that it did:
 * half an answer is none.
 */
export async function collect(stream: AsyncIterable<TextStreamPart<ToolSet>>): Promise<Collected> {
  const collected: Collected = { text: '', toolCalls: [], invalidCalls: 0, finishReason: '', usage: undefined };
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        collected.text += part.text;
        break;
      case 'tool-call':
        collected.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
        if (part.dynamic === true && part.invalid === true) collected.invalidCalls += 1;
        break;
      case 'finish-step':
        collected.finishReason = part.finishReason;
        collected.usage = part.usage;
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new TransientFailure('model_unavailable', 'The stream of the model was aborted.');
      default:
    }
  }
  if (!ENDED.has(collected.finishReason))
    throw new TransientFailure('model_unavailable', 'The stream of the model ended without its end.');
  return collected;
}
