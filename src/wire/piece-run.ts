/** Composition of a local run of a piece: no Redis, no PostgreSQL, no GitLab. */

import type { InputEntry } from '../adapters/models/script-format.ts';
import { ScriptError } from '../adapters/models/script-format.ts';
import { createSystemClock } from '../adapters/system/clock.ts';
import { createReportFolder } from '../adapters/system/report-folder.ts';
import { type LocalOutcome, type LocalRun, type LocalRunDeps, runLocally } from '../app/local/run-locally.ts';
import type { Config } from '../config.ts';
import { PermanentFailure } from '../ports/failures.ts';
import { modelsOffered, openModel, openScript } from './model.ts';

export interface PieceRun {
  /** What the script says at pauses, in order; null without a script. */
  inputs: readonly InputEntry[] | null;
  /** The model's name for people. */
  label: string;
  run(input: LocalRun, hooks: PieceRunHooks, signal: AbortSignal): Promise<LocalOutcome>;
}

export type PieceRunHooks = Pick<LocalRunDeps, 'answer' | 'emit' | 'log'> & Pick<Partial<LocalRunDeps>, 'onOutput'>;

/**
 * `script`: a file of the script format in place of the provider of the settings. `reports`: the folder below which reports are written.
 * @throws PermanentFailure `script_unusable` with every problem of the script, or `file_unreadable`.
 */
export async function openPieceRun(options: {
  config: Config;
  script: string | null;
  reports: string | null;
}): Promise<PieceRun> {
  const { config } = options;
  const file = options.script ?? (config.modelProvider === 'scripted' ? config.modelScript : null);
  const scripted = file === null ? null : await readScript(file);
  const model = scripted ?? (await openModel(config));
  const clock = createSystemClock();
  const reports = options.reports === null ? null : createReportFolder(options.reports);
  const limits = { agentSteps: config.agentMaxSteps, agentTimeoutMs: config.agentTimeoutMs };
  const { models, offered, delegate } = modelsOffered(config);
  const settings = { models, ...(offered ? { offered } : {}), ...(delegate ? { delegate } : {}) };
  const exhausted = () => scripted?.exhausted() ?? null;
  return {
    inputs: scripted?.inputs ?? null,
    label: model.label,
    run: (input, hooks, signal) =>
      runLocally(
        { ...input, settings: scripted ? { models: {}, delegate: config.models.delegate } : settings },
        { ...hooks, model, clock, reports, limits, exhausted, allowedBots: [] },
        signal,
      ),
  };
}

async function readScript(file: string): ReturnType<typeof openScript> {
  try {
    return await openScript(file);
  } catch (error) {
    if (error instanceof ScriptError) throw new PermanentFailure('script_unusable', error.message);
    throw error;
  }
}
