/** The model that the settings name. Each provider is loaded when it is used: a scripted run starts without the others. */
import { createModelRouter, type RouterSettings } from '../adapters/models/router.ts';
import type { ScriptedModel } from '../adapters/models/scripted.ts';
import { readTextFile } from '../adapters/system/text-file.ts';
import type { Config } from '../config.ts';
import type { ModelFacts, ModelPort } from '../ports/model.ts';
import type { ModelProvider } from '../ports/model-ref.ts';

/** @throws ScriptError or PermanentFailure when the script cannot be used. */
export async function openModel(config: Config): Promise<ModelPort> {
  if (config.modelProvider === 'offline') return openOffline();
  if (config.modelProvider === 'scripted') {
    if (config.modelScript === null) throw new Error('MODEL_SCRIPT is not set.');
    return openScript(config.modelScript);
  }
  return openVendors(config);
}

async function openOffline(): Promise<ModelPort> {
  const { createOfflineModel } = await import('../adapters/models/offline/offline.ts');
  return createOfflineModel();
}

/** A script as a model, with what it says at pauses. @throws ScriptError or PermanentFailure. */
export async function openScript(file: string): Promise<ScriptedModel> {
  const { createScriptedModel } = await import('../adapters/models/scripted.ts');
  return createScriptedModel(await readTextFile(file), file);
}

async function openVendors({ modelProvider, modelId, models }: Config): Promise<ModelPort> {
  const { createSdkProvider } = await import('../adapters/models/sdk/sdk-model.ts');
  const offline = await openOffline();
  // A run that began without a model ends without one (D9).
  const ask: RouterSettings['ask'] = { offline: (request) => offline.complete(request) };
  for (const kind of ['anthropic', 'openai', 'google', 'compatible'] as const) {
    const vendor = models.vendors[kind];
    if (!vendor) continue;
    ask[kind] = createSdkProvider({
      kind,
      ...vendor,
      limits: models.limits,
      maxOutputTokens: (model) => models.table[`${kind}:${model}`]?.output ?? models.maxOutputTokens ?? longest(kind),
    });
  }
  const label = models.roles.default;
  return createModelRouter({ label, provider: modelProvider, defaultModel: modelId, ask, about: aboutBy(models) });
}

/** What a run gets of the settings of models (D9). */
export function modelsOffered({ modelProvider, models }: Config) {
  const { budget, currency, delegate } = models;
  const vendors = Object.keys(models.vendors);
  const real = modelProvider !== 'offline' && modelProvider !== 'scripted';
  return {
    models: { ...models.roles },
    budget,
    currency,
    ...(real ? { offered: { provider: modelProvider, providers: vendors, models: models.allowed } } : {}),
    // Who plans by rules reads all there is by itself; a script says what it wants.
    ...(modelProvider === 'offline' ? {} : { delegate }),
  };
}

/** Anthropic must be told a number, and answers that hold a Workplan are long; the others know their own. */
function longest(kind: ModelProvider): number | null {
  return kind === 'anthropic' ? 32_000 : null;
}

function aboutBy(models: Config['models']): (provider: ModelProvider, model: string) => ModelFacts {
  return (provider, model) => {
    if (provider === 'offline' || provider === 'scripted')
      return { contextTokens: null, price: { input: 0, output: 0 } };
    const known = models.table[`${provider}:${model}`];
    return { contextTokens: known?.context ?? models.contextTokens, price: toPrice(known?.price) };
  };
}

function toPrice(price: NonNullable<Config['models']['table'][string]>['price']): ModelFacts['price'] {
  if (price === undefined) return null;
  const { input, output, cached, cacheWrite } = price;
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
