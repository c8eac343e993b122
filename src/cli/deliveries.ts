/** `planwright deliveries list|reopen`: what was given up, and deliveries once more from the start when the cause is gone. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import type { GivenUpStore } from '../ports/given-up.ts';
import { openGivenUp } from '../wire/given-up.ts';
import type { Command } from './command.ts';

const MOST = 1000;

export const deliveriesCommand: Command = {
  usage: 'deliveries list | deliveries reopen ID… | deliveries reopen --all',
  summary: 'Lists deliveries and notes that were given up as JSON lines, or has deliveries worked on again.',
  async run([action, ...args]) {
    if (action === 'list') return list(args);
    if (action === 'reopen') return reopen(args);
    return wrong(`expected list or reopen, got ${action === undefined ? 'nothing' : `"${action}"`}`);
  },
};

async function list(args: string[]): Promise<number> {
  parseArgs({ args });
  return withGivenUp(async (givenUp) => {
    for (const delivery of await givenUp.list(MOST)) write({ box: 'inbox', ...delivery });
    for (const note of await givenUp.notes(MOST)) write({ box: 'outbox', ...note });
    return 0;
  });
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function reopen(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.all === positionals.length > 0)
    return wrong('expected the ids of deliveries, or --all for every one that was given up');
  return withGivenUp(async (givenUp) => {
    const reopened = await givenUp.reopen(values.all ? 'all' : positionals);
    process.stdout.write(`${JSON.stringify({ reopened })}\n`);
    if (values.all || reopened === new Set(positionals).size) return 0;
    process.stderr.write(
      'planwright: not all of these were given up: "planwright deliveries list" shows those that were.\n',
    );
    return 1;
  });
}

function wrong(message: string): number {
  process.stderr.write(`planwright: ${message}.\nUsage: planwright ${deliveriesCommand.usage}\n`);
  return 2;
}

async function withGivenUp(work: (givenUp: GivenUpStore) => Promise<number>): Promise<number> {
  const { givenUp, close } = await openGivenUp(loadConfig(undefined, 'database'));
  try {
    return await work(givenUp);
  } finally {
    await close();
  }
}
