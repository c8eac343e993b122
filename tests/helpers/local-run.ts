import { createScriptedModel } from '../../src/adapters/models/scripted.ts';
import { createSystemClock } from '../../src/adapters/system/clock.ts';
import type { LocalLine } from '../../src/app/local/lines.ts';
import { type LocalRun, type LocalRunDeps, runLocally } from '../../src/app/local/run-locally.ts';
import { namedFiles } from '../../src/domain/piece/files.ts';
import { loadPiece } from '../../src/domain/piece/load.ts';
import type { PieceBundle } from '../../src/domain/piece/types.ts';
import { createMemoryLog } from './fakes/log.ts';

export interface RunText {
  piece: string;
  /** A script's text, or its entries. */
  script: string | object[];
  task?: string;
  interactive?: boolean;
  settings?: LocalRun['settings'];
  deps?: Partial<LocalRunDeps>;
  signal?: AbortSignal;
}

/** A piece as a bundle, every file it names being there. */
export function bundleWithFiles(text: string): PieceBundle {
  const files = Object.fromEntries(namedFiles(text).map((file) => [file, `Agent of ${file}.`]));
  return { name: 'test', file: 'test.yaml', text, files };
}

/** Runs a piece that must load, in memory, from a script; all lines with the last one, and whether it was called wrongly. */
export async function runText(run: RunText): Promise<{ lines: LocalLine[]; misuse: boolean }> {
  const bundle = bundleWithFiles(run.piece);
  const { piece, diagnostics } = loadPiece(bundle);
  if (piece === null) throw new Error(JSON.stringify(diagnostics));
  const text = typeof run.script === 'string' ? run.script : JSON.stringify(run.script);
  const model = createScriptedModel(text, 'script.yaml');
  const lines: LocalLine[] = [];
  let used = 0;
  const { end, misuse } = await runLocally(
    {
      piece,
      bundle,
      task: run.task ?? 'Add a login page',
      interactive: run.interactive ?? false,
      modelId: '',
      ...(run.settings ? { settings: run.settings } : {}),
    },
    {
      model,
      clock: createSystemClock(),
      log: createMemoryLog(),
      limits: { agentSteps: 10, agentTimeoutMs: 60_000 },
      allowedBots: [],
      exhausted: model.exhausted,
      reports: null,
      async answer() {
        const entry = model.inputs[used];
        used += 1;
        return entry === undefined ? null : [entry.text];
      },
      emit: (line) => lines.push(line),
      ...run.deps,
    },
    run.signal ?? new AbortController().signal,
  );
  return { lines: [...lines, end], misuse };
}

export function ofKind<E extends LocalLine['event']>(lines: LocalLine[], event: E): Extract<LocalLine, { event: E }>[] {
  return lines.filter((line): line is Extract<LocalLine, { event: E }> => line.event === event);
}
