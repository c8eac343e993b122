/** `planwright COMMAND …` (design: Commands). Commands are loaded when they are called, so that each starts quickly. */
import { enableCompileCache } from 'node:module';
import type { Command } from './cli/command.ts';
import { plainText } from './cli/plain.ts';
import { PermanentFailure, TransientFailure } from './ports/failures.ts';

// Half of a quick command's time is reading its sources: what was read once is kept in the system's folder for temporary files.
enableCompileCache();

// Who reads a part of the output only, as `head` does, closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });

const COMMANDS: Record<string, () => Promise<Command>> = {
  plan: async () => (await import('./cli/client.ts')).planCommand,
  status: async () => (await import('./cli/client.ts')).statusCommand,
  continue: async () => (await import('./cli/client.ts')).continueCommand,
  approve: async () => (await import('./cli/client.ts')).approveCommand,
  reject: async () => (await import('./cli/client.ts')).rejectCommand,
  replan: async () => (await import('./cli/client.ts')).replanCommand,
  cancel: async () => (await import('./cli/client.ts')).cancelCommand,
  connect: async () => (await import('./cli/connect.ts')).connectCommand,
  doctor: async () => (await import('./cli/doctor.ts')).doctorCommand,
  api: async () => (await import('./cli/processes.ts')).apiCommand,
  worker: async () => (await import('./cli/processes.ts')).workerCommand,
  migrate: async () => (await import('./cli/processes.ts')).migrateCommand,
  deliveries: async () => (await import('./cli/deliveries.ts')).deliveriesCommand,
  runs: async () => (await import('./cli/runs.ts')).runsCommand,
  piece: async () => (await import('./cli/piece/piece.ts')).pieceCommand,
  locate: async () => (await import('./cli/locate.ts')).locateCommand,
  check: async () => (await import('./cli/check.ts')).checkCommand,
  sandbox: async () => (await import('./cli/sandbox.ts')).sandboxCommand,
};

/** Exit codes: 0 done, 1 refused or failed, 2 called wrongly. */
async function main(argv: string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  if (name === 'help' || name === '--help' || name === '-h') return help();
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    process.stderr.write(`planwright: there is no command "${plainText(name)}".\n\n`);
    await help(process.stderr);
    return 2;
  }
  const command = await load();
  if (!command.nested && (args.includes('--help') || args.includes('-h'))) {
    process.stdout.write(`${command.summary}\n\nUsage: planwright ${command.usage}\n`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    return explain(error, command);
  }
}

async function help(out: NodeJS.WriteStream = process.stdout): Promise<number> {
  out.write('planwright: asynchronous planning for GitLab work items\n\n');
  for (const load of Object.values(COMMANDS)) {
    const { usage, summary } = await load();
    out.write(`  planwright ${usage}\n      ${summary}\n`);
  }
  return 0;
}

function explain(error: unknown, command: Command): number {
  const misuse = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof TransientFailure || error instanceof PermanentFailure ? ` (${error.code})` : '';
  // It may repeat what a server, a file or a person wrote.
  process.stderr.write(`planwright: ${plainText(message)}${code}\n`);
  if (misuse) process.stderr.write(`Usage: planwright ${command.usage}\n`);
  return misuse ? 2 : 1;
}

process.exitCode = await main(process.argv.slice(2));
