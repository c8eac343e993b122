/** The providers of the AI SDK, each made from settings. Keys stay in here: they go into requests and nowhere else. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

export interface ProviderSettings {
  kind: 'anthropic' | 'openai' | 'google' | 'compatible';
  /** Null: none is sent (a server of one's own). */
  apiKey: string | null;
  /** Null: the vendor's own. */
  baseUrl: string | null;
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
}

/** A provider object for one call: its `fetch` watches over that call alone. */
export function languageModel(settings: ProviderSettings, model: string, fetch: typeof globalThis.fetch) {
  const { kind, baseUrl, headers } = settings;
  // An empty key keeps the SDK from looking for one in the environment.
  const common = { apiKey: settings.apiKey ?? '', headers: { ...headers }, fetch };
  const at = baseUrl === null ? {} : { baseURL: baseUrl };
  switch (kind) {
    case 'anthropic':
      return createAnthropic({ ...common, ...at })(model);
    case 'openai':
      return createOpenAI({ ...common, ...at })(model);
    case 'google':
      return createGoogle({ ...common, ...at })(model);
    case 'compatible': {
      const { apiKey, ...rest } = common;
      const key = apiKey === '' ? {} : { apiKey };
      return createOpenAICompatible({
        ...rest,
        ...key,
        name: 'compatible',
        baseURL: baseUrl ?? '',
        includeUsage: true,
      })(model);
    }
    default:
      return kind satisfies never;
  }
}
