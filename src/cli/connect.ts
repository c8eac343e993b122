/** `planwright connect PROJECT`: the project's webhook, idempotent. */
import { parseArgs } from 'node:util';
import { ensureHook } from '../app/connect.ts';
import { loadConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { openGitLab } from '../wire/infrastructure.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';

export const connectCommand: Command = {
  usage: 'connect PROJECT',
  summary: "Creates the project's webhook to this service, or brings it up to date; PROJECT is an id or a path.",
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) {
      process.stderr.write(`planwright: expected one project.\nUsage: planwright ${connectCommand.usage}\n`);
      return 2;
    }
    const config = loadConfig(undefined, 'service');
    const gitlab = openGitLab(config, createLogger({ level: 'error' }));
    try {
      const project = await gitlab.project(name);
      if (!project) {
        process.stderr.write(`planwright: there is no project "${plainLine(name)}", or the bot is no member of it.\n`);
        return 1;
      }
      const url = `${config.publicUrl}/webhooks/gitlab`;
      const done = await ensureHook(gitlab, project.id, {
        url,
        token: config.webhookToken,
        signingToken: config.webhookSigningToken,
      });
      process.stdout.write(`${plainLine(project.path)}: webhook to ${url} ${done}.\n`);
      return 0;
    } finally {
      await gitlab.close();
    }
  },
};
