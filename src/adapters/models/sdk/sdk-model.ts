/** A provider of the AI SDK behind the model port: one request, one reply, streamed so that a stall or an abort is noticed at once. */
import { jsonSchema, streamText, type ToolSet, tool } from 'ai';
import type { NativeContent } from '../../../domain/run/messages.ts';
import { PermanentFailure } from '../../../ports/failures.ts';
import type { ModelReply, ModelRequest, ToolDefinition } from '../../../ports/model.ts';
import { toFailure } from './failures.ts';
import { cacheKey, toInstructions, toSdkMessages } from './messages.ts';
import { languageModel, type ProviderSettings } from './providers.ts';
import { type Collected, collect } from './stream.ts';
import { type StreamLimits, watchCall } from './watched-fetch.ts';

export interface SdkModelSettings extends ProviderSettings {
  limits: StreamLimits;
  /** Tokens of an answer at most, by model; null: what the provider says. */
  maxOutputTokens(model: string): number | null;
}

/** Asks one provider; `model` is its own id. Failures as the port says. */
export type AskProvider = (request: ModelRequest, model: string) => Promise<ModelReply>;

/** Its warnings and telemetry would go to the console; what matters of them is told by failures. */
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export function createSdkProvider(settings: SdkModelSettings): AskProvider {
  const secrets = [settings.apiKey ?? '', ...Object.values(settings.headers)];
  return async (request, model) => {
    request.signal.throwIfAborted();
    if (model === '')
      throw new PermanentFailure('model_not_named', `No model of ${settings.kind} is named. Set MODEL_ID.`);
    const watch = watchCall(settings.limits, request.signal);
    try {
      const asked = ask(settings, request, model, watch);
      const collected = await collect(asked.stream);
      const native = await asked.content(collected);
      return toReply(settings, request, collected, native);
    } catch (error) {
      request.signal.throwIfAborted();
      throw watch.failure() ?? toFailure(error, settings.kind, secrets, Date.now());
    } finally {
      watch.stop();
    }
  };
}

function ask(settings: SdkModelSettings, request: ModelRequest, model: string, watch: ReturnType<typeof watchCall>) {
  const { kind } = settings;
  const maxOutputTokens = settings.maxOutputTokens(model);
  // A conversation that holds calls is refused without its tools, and what is cached begins with them.
  const mayCall = request.tools.length > 0;
  const tools = mayCall ? request.tools : (request.spentTools ?? []);
  const result = streamText({
    model: languageModel(settings, model, watch.fetch),
    messages: toSdkMessages(kind, request.messages),
    ...(request.instructions === undefined ? {} : { instructions: toInstructions(kind, request.instructions) }),
    ...(tools.length > 0
      ? {
          tools: toTools(tools),
          toolOrder: tools.map(({ name }) => name),
          ...(mayCall ? {} : { toolChoice: 'none' as const }),
        }
      : {}),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    // Repeating is the agent loop's, one way for all providers.
    maxRetries: 0,
    abortSignal: watch.signal,
    onError: () => undefined,
    ...(kind === 'openai'
      ? { providerOptions: { openai: { promptCacheKey: cacheKey(request.tag), store: false } } }
      : {}),
  });
  return {
    stream: result.stream,
    /** Where the provider needs more of its answer back than text and calls. */
    async content(collected: Collected): Promise<NativeContent | undefined> {
      if (collected.invalidCalls > 0) return undefined;
      const message = (await result.responseMessages).find(({ role }) => role === 'assistant');
      if (!message || typeof message.content === 'string') return undefined;
      const special = message.content.some(
        (part) => part.type === 'reasoning' || ('providerOptions' in part && part.providerOptions !== undefined),
      );
      return special ? { provider: kind, content: JSON.parse(JSON.stringify(message.content)) } : undefined;
    },
  };
}

function toTools(tools: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]) }),
    ]),
  );
}

function toReply(
  { kind }: SdkModelSettings,
  request: ModelRequest,
  { text, toolCalls, finishReason, usage }: Collected,
  native: NativeContent | undefined,
): ModelReply {
  if (finishReason === 'content-filter')
    throw new PermanentFailure('model_refused', `${kind} refused to answer (its content filter, or the model itself).`);
  const known = usage?.inputTokens !== undefined && usage.outputTokens !== undefined;
  const { cacheReadTokens: cached, cacheWriteTokens: written } = usage?.inputTokenDetails ?? {};
  return {
    text,
    toolCalls,
    usage: {
      inputTokens:
        usage?.inputTokens ?? estimate(request.instructions ?? '', ...request.messages.map((m) => JSON.stringify(m))),
      outputTokens: usage?.outputTokens ?? estimate(text, JSON.stringify(toolCalls)),
      estimated: !known,
      ...(cached === undefined ? {} : { cachedTokens: cached }),
      ...(written === undefined ? {} : { cacheWriteTokens: written }),
    },
    ...(finishReason === 'length' ? { cutOff: true } : {}),
    ...(native === undefined ? {} : { native }),
  };
}

/** Where the provider told nothing: about four characters a token, never zero. */
function estimate(...texts: string[]): number {
  return Math.max(1, Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4));
}
