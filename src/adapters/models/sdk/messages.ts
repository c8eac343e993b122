/** Conversations of the service as messages of the AI SDK, with marks where a provider keeps what it has read (prompt caching). */
import type {
  AssistantContent,
  AssistantModelMessage,
  ModelMessage as SdkMessage,
  SystemModelMessage,
  ToolModelMessage,
} from 'ai';
import type { ModelMessage, ToolResult } from '../../../domain/run/messages.ts';
import type { ModelRequest } from '../../../ports/model.ts';
import type { ProviderSettings } from './providers.ts';

type Kind = ProviderSettings['kind'];

/** Anthropic keeps what stands before a mark: tools, the agent's text, and the conversation up to the two newest turns. */
const KEEP = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const;

export function toInstructions(kind: Kind, text: string): SystemModelMessage {
  return { role: 'system', content: text, ...(kind === 'anthropic' ? KEEP : {}) };
}

/** The newest turn is read again by the next request, the one before it was marked by the last: both ends must be found. */
export function toSdkMessages(kind: Kind, messages: readonly ModelMessage[]): SdkMessage[] {
  const turns = messages.flatMap((message, index) => (message.role === 'assistant' ? [] : [index]));
  const marked = new Set(kind === 'anthropic' ? turns.slice(-2) : []);
  return messages.map((message, index) => ({
    ...toSdkMessage(kind, message),
    ...(marked.has(index) ? KEEP : {}),
  }));
}

function toSdkMessage(kind: Kind, message: ModelMessage): SdkMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', content: message.results.map(toResultPart) } satisfies ToolModelMessage;
    case 'assistant':
      return { role: 'assistant', content: assistantContent(kind, message) } satisfies AssistantModelMessage;
    default:
      return message satisfies never;
  }
}

function toResultPart({ id, name, output, isError }: ToolResult) {
  const type = isError ? ('error-text' as const) : ('text' as const);
  return { type: 'tool-result' as const, toolCallId: id, toolName: name, output: { type, value: output } };
}

function assistantContent(kind: Kind, message: Extract<ModelMessage, { role: 'assistant' }>): AssistantContent {
  if (message.native?.provider === kind) return message.native.content as AssistantContent;
  const text = message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text }];
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: asInput(input),
  }));
  const content = [...text, ...calls];
  // Providers refuse a turn that says nothing.
  return content.length > 0 ? content : [{ type: 'text', text: '(no answer)' }];
}

/** What a model wrote in place of an object went back to it as an error; providers take nothing but objects. */
export function asInput(input: unknown): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return { unreadable: typeof input === 'string' ? input : JSON.stringify(input) };
}

/** What is the same for all calls of one conversation: OpenAI sends requests with one key to where they are kept. */
export function cacheKey({ runId, movement, role }: ModelRequest['tag']): string {
  return `${runId}/${movement}/${role}`.slice(-64);
}
