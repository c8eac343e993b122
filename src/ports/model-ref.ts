/** How models are named in settings, pieces and stored runs: `PROVIDER:MODEL`, e.g. `anthropic:claude-sonnet-4-5` (docs/models.md). */

export const MODEL_PROVIDERS = ['offline', 'scripted', 'anthropic', 'openai', 'google', 'compatible'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

export interface ModelRef {
  /** Null: the operator's default provider. */
  provider: ModelProvider | null;
  /** The provider's own id; empty: its default. */
  model: string;
}

/** Ids may hold colons of their own (`llama3.1:8b`): only the name of a provider in front of one counts. */
export function parseModelRef(text: string): ModelRef {
  const colon = text.indexOf(':');
  const provider = colon < 0 ? null : toProvider(text.slice(0, colon));
  return provider === null ? { provider: null, model: text } : { provider, model: text.slice(colon + 1) };
}

export function toProvider(name: string): ModelProvider | null {
  return MODEL_PROVIDERS.find((known) => known === name) ?? null;
}

/** The full name of a model whose provider may have been left out. */
export function withProvider(text: string, provider: string): string {
  const ref = parseModelRef(text);
  return `${ref.provider ?? provider}:${ref.model}`;
}
