/** The model that the settings name. Each provider is loaded when it is used: a scripted run starts without the others. */
import type { ScriptedModel } from '../adapters/models/scripted.ts';
import { readTextFile } from '../adapters/system/text-file.ts';
import type { Config } from '../config.ts';
import type { ModelPort } from '../ports/model.ts';

/** @throws ScriptError or PermanentFailure when the script cannot be used. */
export async function openModel(config: Config): Promise<ModelPort> {
  if (config.modelProvider === 'offline') {
    const { createOfflineModel } = await import('../adapters/models/offline/offline.ts');
    return createOfflineModel();
  }
  if (config.modelScript === null) throw new Error('MODEL_SCRIPT is not set.');
  return openScript(config.modelScript);
}

/** A script as a model, with what it says at pauses. @throws ScriptError or PermanentFailure. */
export async function openScript(file: string): Promise<ScriptedModel> {
  const { createScriptedModel } = await import('../adapters/models/scripted.ts');
  return createScriptedModel(await readTextFile(file), file);
}
