/** How a local run is shown. */
import type { LocalLine } from '../../app/local/lines.ts';

export interface Show {
  line(line: LocalLine): void;
  /** Outputs, which only people are shown. */
  output?(movement: string, output: string): void;
}

/** For programs: one JSON object a line on standard output. */
export function showJson(prompts: boolean): Show {
  return {
    line(line) {
      if (line.event !== 'prompt' || prompts) process.stdout.write(`${JSON.stringify(line)}\n`);
    },
  };
}
