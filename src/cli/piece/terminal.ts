/** Pauses at the terminal: what is asked goes to standard error, so that standard output stays for the run's lines. */
import { createInterface, type Interface } from 'node:readline';
import { type LocalPause, readApproval, type Said } from '../../app/local/pause.ts';
import type { Question } from '../../domain/workplan/schema.ts';
import { plainLine, plainText } from '../plain.ts';

export interface Terminal {
  /** What the person says; null when standard input is at its end. */
  ask(pause: LocalPause, signal: AbortSignal): Promise<Said | null>;
  close(): void;
}

/** `interrupt` is called when the person presses Ctrl-C while being asked. */
export function createTerminal(interrupt: () => void): Terminal {
  let lines: Lines | null = null;

  async function line(prompt: string, signal: AbortSignal): Promise<string | null> {
    process.stderr.write(prompt);
    lines ??= readLines(interrupt);
    return lines.next(signal);
  }

  return {
    async ask(pause, signal) {
      if (pause.kind === 'approval') return askApproval(pause, (prompt) => line(prompt, signal));
      if (pause.kind === 'context_gate' || pause.questions.length === 0) {
        process.stderr.write(`\n"${plainLine(pause.movement)}" needs more to go on:\n${list(pause.missing)}`);
        const text = await line('Your addition (empty to go on): ', signal);
        return text === null ? null : [text];
      }
      const said: Said = [];
      for (const question of pause.questions) {
        process.stderr.write(`\n${describe(question)}`);
        const text = await line('Your answer (empty: as recommended): ', signal);
        if (text === null) return null;
        said.push(text);
      }
      return said;
    },
    close: () => lines?.close(),
  };
}

async function askApproval(pause: LocalPause, line: (prompt: string) => Promise<string | null>): Promise<Said | null> {
  process.stderr.write(`\n"${plainLine(pause.movement)}" waits for approval.\n`);
  for (;;) {
    const text = await line('approve, or reject REASON: ');
    if (text === null) return null;
    if (readApproval(text) !== null) return [text];
    process.stderr.write('Expected `approve` or `reject REASON`.\n');
  }
}

function describe(question: Question): string {
  const options = question.options.map(
    (option, index) => `  ${index + 1}. ${plainLine(option.label)}${option.recommended ? '  (recommended)' : ''}\n`,
  );
  // An open question of the engine's own repeats its first line in its reason.
  const why = question.why.startsWith(question.question) ? question.why : `${question.question}\n${question.why}`;
  return `${plainText(why)}\n${options.join('')}`;
}

function list(entries: string[]): string {
  return entries.map((entry) => `  - ${plainLine(entry)}\n`).join('');
}

interface Lines {
  next(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

/** Lines of standard input as they are asked for; what comes earlier waits. */
function readLines(interrupt: () => void): Lines {
  const reader: Interface = createInterface({ input: process.stdin, terminal: process.stdin.isTTY === true });
  const waiting: string[] = [];
  let closed = false;
  let wake = (): void => undefined;
  reader.on('line', (text) => {
    waiting.push(text);
    wake();
  });
  reader.on('close', () => {
    closed = true;
    wake();
  });
  reader.on('SIGINT', interrupt);
  return {
    async next(signal) {
      while (waiting.length === 0 && !closed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      return waiting.shift() ?? null;
    },
    close: () => reader.close(),
  };
}
