/** The production processes: `api`, `worker`, `migrate`. They refuse the embedded database, which serves one process only. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { type Part, serve } from '../server.ts';
import { openDatabase } from '../wire/infrastructure.ts';
import type { Command } from './command.ts';

const QUEUES: readonly Part[] = ['runs', 'deliveries', 'maintenance'];

export const apiCommand: Command = {
  usage: 'api',
  summary: 'Serves HTTP: actions, status and the webhook of GitLab.',
  async run(args) {
    parseArgs({ args });
    await serve(['api']);
    return 0;
  },
};

export const workerCommand: Command = {
  usage: `worker [--queues ${QUEUES.join(',')}]`,
  summary: 'Works on one or more of the queues; all of them without --queues.',
  async run(args) {
    const { values } = parseArgs({ args, options: { queues: { type: 'string', default: QUEUES.join(',') } } });
    const wanted = values.queues.split(',').map((name) => name.trim());
    const parts = QUEUES.filter((queue) => wanted.includes(queue));
    const unknown = wanted.filter((name) => !QUEUES.some((queue) => queue === name));
    if (unknown.length > 0) {
      process.stderr.write(
        `planwright: --queues: expected some of ${QUEUES.join(', ')}, got "${unknown.join(', ')}".\n`,
      );
      return 2;
    }
    await serve(parts);
    return 0;
  },
};

export const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'Brings the tables of DATABASE_URL up to date; forward only, safe to repeat.',
  async run(args) {
    parseArgs({ args });
    const config = loadConfig(undefined, 'database');
    const db = await openDatabase(config, 'memory');
    try {
      const done = await db.migrate();
      const log = createLogger({ level: config.logLevel });
      log.info({ migrations: done }, done.length > 0 ? 'migrated' : 'nothing to migrate');
      return 0;
    } finally {
      await db.close();
    }
  },
};
