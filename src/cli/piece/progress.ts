/** The progress of a local run for people, on standard output. */

import type { LocalLine } from '../../app/local/lines.ts';
import { cleanOutput, summarise } from '../../domain/piece/output.ts';
import { plainLine, plainText } from '../plain.ts';
import type { Show } from './show.ts';

export function createProgress(prompts: boolean): Show {
  return {
    line: (line) => write(textOf(line, prompts)),
    output(_, output) {
      // Of nothing but reports and tags the lines that follow tell more.
      if (cleanOutput(output) !== '') write(`    ${plainLine(summarise(output))}\n`);
    },
  };
}

function write(text: string): void {
  if (text !== '') process.stdout.write(text);
}

function textOf(line: LocalLine, prompts: boolean): string {
  switch (line.event) {
    case 'start':
      return line.parent === undefined
        ? `\n▶ ${plainLine(line.movement)}  (iteration ${line.iteration}, run ${line.movementIteration} of it)\n`
        : `  ▷ ${plainLine(line.movement)}\n`;
    case 'prompt':
      return prompts ? `    ┌ prompt of ${plainLine(line.movement)}\n${indent(line.text)}    └\n` : '';
    case 'report':
      return `    report ${plainLine(line.file)} (${line.text.length} characters)\n`;
    case 'complete':
      return completed(line);
    case 'warning':
      return `  ! ${plainLine(line.message)} [${plainLine(line.code)}]\n`;
    case 'input':
      return `  ? ${plainLine(line.movement)} waits for people\n`;
    case 'end':
      return line.status === 'completed'
        ? `\n✔ completed after ${line.iterations} iterations\n`
        : `\n✘ aborted after ${line.iterations} iterations: ${plainLine(line.reason ?? '')}\n`;
    default:
      return line satisfies never;
  }
}

function completed(line: Extract<LocalLine, { event: 'complete' }>): string {
  const place = line.parent === undefined ? '  ' : '    ';
  if (line.rule === null) return `${place}✔ ${plainLine(line.movement)}: ${line.method ?? 'no result'}\n`;
  return `${place}✔ ${plainLine(line.movement)}: ${plainLine(line.condition ?? '')}  (rule ${line.rule}, ${line.method})\n`;
}

function indent(text: string): string {
  return plainText(text)
    .split('\n')
    .map((part) => `    │ ${part}\n`)
    .join('');
}
