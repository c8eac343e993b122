/** One model port over several providers: each request names who answers it, as `PROVIDER:MODEL`. */
import { PermanentFailure } from '../../ports/failures.ts';
import type { ModelFacts, ModelPort, ModelReply, ModelRequest } from '../../ports/model.ts';
import { type ModelProvider, parseModelRef } from '../../ports/model-ref.ts';

export interface RouterSettings {
  /** For people. */
  label: string;
  /** Who is meant by a name without a provider. */
  provider: ModelProvider;
  /** Which model is meant by a provider's name alone; empty: the provider must know. */
  defaultModel: string;
  /** Who can be asked. A run keeps the names it began with, so one of them may be gone by now (D9). */
  ask: Partial<Record<ModelProvider, (request: ModelRequest, model: string) => Promise<ModelReply>>>;
  about(provider: ModelProvider, model: string): ModelFacts;
}

export function createModelRouter(settings: RouterSettings): ModelPort {
  const { ask, about, label } = settings;
  function meant(name: string): { provider: ModelProvider; model: string } {
    const ref = parseModelRef(name);
    const provider = ref.provider ?? settings.provider;
    const model = ref.model === '' && provider === settings.provider ? settings.defaultModel : ref.model;
    return { provider, model };
  }
  return {
    label,
    async complete(request) {
      const { provider, model } = meant(request.model);
      const asked = ask[provider];
      if (!asked)
        throw new PermanentFailure(
          'provider_not_configured',
          `The provider ${provider} is not set up at this service.`,
        );
      return asked(request, model);
    },
    about(name) {
      const { provider, model } = meant(name);
      return about(provider, model);
    },
  };
}
