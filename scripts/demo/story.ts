/** Tells the demo's story on a terminal: a line a step with the time gone by, a spinner where one waits. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { wrap } from './terminal.ts';

export interface Story {
  /** A step that is done. */
  step(text: string): void;
  /** What is waited for now; the next step replaces it. */
  waiting(text: string): void;
  /** A block of text as it stands, each line behind a bar. */
  block(title: string, text: string): void;
  end(): void;
}

type Style = Parameters<typeof styleText>[0];

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
/** Longer lines are hard to read, also where nobody says how wide the terminal is. */
const WIDTH = 110;

/** `out` gets colours and a spinner only when it is a terminal. */
export function createStory(out: NodeJS.WriteStream, startedAt: number): Story {
  const fancy = out.isTTY === true && process.env['NO_COLOR'] === undefined;
  const paint = (style: Style, text: string) => (fancy ? styleText(style, text, { validateStream: false }) : text);
  let spinner: NodeJS.Timeout | undefined;

  function clear(): void {
    clearInterval(spinner);
    if (spinner && fancy) out.write('\r\u001b[2K');
    spinner = undefined;
  }

  function elapsed(): string {
    return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
  }

  return {
    step(text) {
      clear();
      out.write(`${paint('dim', elapsed())}  ${paint('green', '✔')} ${text}\n`);
    },
    waiting(text) {
      clear();
      if (!fancy) return;
      let frame = 0;
      spinner = setInterval(() => {
        const line = `${elapsed()}  ${FRAMES[frame++ % FRAMES.length]} ${text}`;
        out.write(`\r\u001b[2K${line.slice(0, Math.max(20, (out.columns ?? 80) - 1))}`);
      }, FRAME_MS);
      spinner.unref();
    },
    block(title, text) {
      clear();
      out.write(`\n${paint('bold', `  ┌ ${title}`)}\n`);
      for (const line of wrap(text, Math.min(out.columns ?? WIDTH, WIDTH) - 5))
        out.write(`${paint('dim', '  │')} ${dress(stripVTControlCharacters(line), paint)}\n`);
      out.write(`${paint('dim', '  └')}\n\n`);
    },
    end: clear,
  };
}

function dress(line: string, paint: (style: Style, text: string) => string): string {
  if (/^#{1,6} /.test(line)) return paint('bold', line.replace(/^#+ /, ''));
  return line.replace(/\*\*(.+?)\*\*/g, (_whole, text: string) => paint('bold', text));
}
