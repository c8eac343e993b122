/** `planwright piece run`: runs a piece on this machine, in memory (design: Commands). */
import { parseArgs } from 'node:util';
import type { LocalPause, Said } from '../../app/local/pause.ts';
import type { LocalOutcome } from '../../app/local/run-locally.ts';
import { ConfigError, loadConfigWith } from '../../config.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { Log } from '../../ports/log.ts';
import { openPieceRun, type PieceRun } from '../../wire/piece-run.ts';
import type { Command } from '../command.ts';
import { plainLine } from '../plain.ts';
import { loadForCommand } from './load.ts';
import { createProgress } from './progress.ts';
import { type Show, showJson } from './show.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const OPTIONS = {
  task: { type: 'string' },
  script: { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  reports: { type: 'string' },
  interactive: { type: 'boolean' },
  prompts: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const COMPLETED = 0;
const MISUSED = 2;
const ABORTED = 3;

export const runCommand: Command = {
  usage:
    'piece run FILE --task TEXT [--script FILE | --provider NAME] [--model ID] [--interactive] [--reports DIR] [--prompts] [--json]',
  summary:
    'Runs a piece in memory; needs no Redis, PostgreSQL or GitLab. Actions of the service are skipped.\n--script answers from a YAML list, --interactive asks at the terminal, --reports writes reports below DIR,\n--prompts shows what agents are sent, --json prints one JSON object a line. Exit 0 completed, 3 aborted, 2 called wrongly.',
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return misuse(`expected one piece file, got ${positionals.length}`);
    if (values.task === undefined) return misuse('expected --task TEXT: what the run is to do');
    if (values.script !== undefined && values.provider !== undefined)
      return misuse('expected either --script or --provider: a script answers in place of a model');
    const loaded = await loadForCommand(file, 'warnings');
    if (loaded === null) return MISUSED;
    const opened = await open(values);
    if (opened === null) return MISUSED;
    const interactive = values.interactive === true;
    const show = values.json === true ? showJson(values.prompts === true) : createProgress(values.prompts === true);
    const input = { ...loaded, task: values.task, interactive, modelId: opened.modelId };
    return runToEnd(opened.piece, input, show);
  },
};

function misuse(message: string): number {
  process.stderr.write(`planwright: ${message}.\nUsage: planwright ${runCommand.usage}\n`);
  return MISUSED;
}

async function open(values: {
  script?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  reports?: string | undefined;
}): Promise<{ piece: PieceRun; modelId: string } | null> {
  const { script, provider, model, reports } = values;
  const chosen = script === undefined ? provider : 'offline';
  try {
    const config = loadConfigWith({
      ...(chosen === undefined ? {} : { MODEL_PROVIDER: chosen }),
      ...(model === undefined ? {} : { MODEL_ID: model }),
    });
    const piece = await openPieceRun({ config, script: script ?? null, reports: reports ?? null });
    return { piece, modelId: config.modelId };
  } catch (error) {
    if (!(error instanceof PermanentFailure || error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) process.stderr.write(`planwright: ${plainLine(line)}\n`);
    return null;
  }
}

async function runToEnd(piece: PieceRun, input: Parameters<PieceRun['run']>[0], show: Show): Promise<number> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('The run was stopped.'));
  const broken = (error: NodeJS.ErrnoException): void => {
    // Whoever read along has gone: there is nobody to run for.
    if (error.code !== 'EPIPE') throw error;
    stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.on('error', broken);
  const terminal = createTerminal(stop);
  const hooks = {
    answer: answersOf(piece, terminal),
    emit: show.line,
    log: terminalLog(),
    ...(show.output === undefined ? {} : { onOutput: show.output }),
  };
  try {
    const outcome = await piece.run(input, hooks, stopping.signal);
    show.line(outcome.end);
    return exitCode(outcome);
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error;
    process.stderr.write(`planwright: ${plainLine(error.message)} (${error.code})\n`);
    return MISUSED;
  } finally {
    terminal.close();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function exitCode({ end, misuse: misused }: LocalOutcome): number {
  if (misused) return MISUSED;
  return end.status === 'completed' ? COMPLETED : ABORTED;
}

/** A script answers in its order and nobody else does; without one the terminal is asked. */
function answersOf(
  piece: PieceRun,
  terminal: Terminal,
): (pause: LocalPause, signal: AbortSignal) => Promise<Said | null> {
  const { inputs } = piece;
  if (inputs === null) return (pause, signal) => terminal.ask(pause, signal);
  let used = 0;
  return async () => {
    const entry = inputs[used];
    used += 1;
    return entry === undefined ? null : [entry.text];
  };
}

/** What goes wrong on the way, on standard error. */
function terminalLog(): Log {
  const write = (data: Record<string, unknown>, message: string): void => {
    const details = Object.entries(data).flatMap(([key, value]) =>
      key === 'error' ? [] : [`${key}=${String(value)}`],
    );
    process.stderr.write(`planwright: ${plainLine([message, ...details].join(' '))}\n`);
  };
  return { debug: () => undefined, info: () => undefined, warn: write, error: write };
}
