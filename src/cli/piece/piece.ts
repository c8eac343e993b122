/** `planwright piece …`: the commands of people who write pieces (design: Commands). Each is loaded when it is called. */
import type { Command } from '../command.ts';

const COMMANDS: Record<string, () => Promise<Command>> = {
  lint: async () => (await import('./lint.ts')).lintCommand,
  graph: async () => (await import('./graph.ts')).graphCommand,
  run: async () => (await import('./run.ts')).runCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
};

const NAMES = Object.keys(COMMANDS).join('|');

export const pieceCommand: Command = {
  nested: true,
  usage: `piece ${NAMES} …`,
  summary: 'Checks, draws or runs a piece file; `planwright piece NAME --help` says more.',
  async run(args) {
    const [name = '', ...rest] = args;
    if (name === 'help' || name === '--help' || name === '-h') return help();
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load) {
      process.stderr.write(
        `planwright: expected one of ${Object.keys(COMMANDS).join(', ')} after "piece", got "${name}".\n`,
      );
      return 2;
    }
    const command = await load();
    if (rest.includes('--help') || rest.includes('-h')) {
      process.stdout.write(`${command.summary}\n\nUsage: planwright ${command.usage}\n`);
      return 0;
    }
    try {
      return await command.run(rest);
    } catch (error) {
      if (!isMisuse(error)) throw error;
      process.stderr.write(`planwright: ${error.message}\nUsage: planwright ${command.usage}\n`);
      return 2;
    }
  },
};

/** Options that `parseArgs` does not know, or that have no value. */
function isMisuse(error: unknown): error is TypeError {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

async function help(): Promise<number> {
  for (const load of Object.values(COMMANDS)) {
    const { usage, summary } = await load();
    process.stdout.write(`  planwright ${usage}\n      ${summary.replaceAll('\n', '\n      ')}\n`);
  }
  return 0;
}
