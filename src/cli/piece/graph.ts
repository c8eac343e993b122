/** `planwright piece graph`: a piece as a Mermaid state diagram on standard output. */
import { parseArgs } from 'node:util';
import { renderGraph } from '../../domain/piece/mermaid.ts';
import type { Command } from '../command.ts';
import { loadForCommand } from './load.ts';

export const graphCommand: Command = {
  usage: 'piece graph FILE',
  summary:
    'Prints the piece as a Mermaid state diagram (paste it into a ```mermaid block); exit 1 when it does not load.',
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) {
      process.stderr.write(`planwright: expected one piece file.\nUsage: planwright ${this.usage}\n`);
      return 2;
    }
    const loaded = await loadForCommand(file, 'errors');
    if (loaded === null) return 1;
    process.stdout.write(renderGraph(loaded.piece));
    return 0;
  },
};
