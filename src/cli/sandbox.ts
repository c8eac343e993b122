/** `planwright sandbox`: the GitLab stand-in alone, to look at and to try things on. */
import { parseArgs } from 'node:util';
import { startSandbox } from '../../sandbox/server.ts';
import { readEnvironment } from '../config.ts';
import type { Command } from './command.ts';

export const sandboxCommand: Command = {
  usage: 'sandbox [--port N] [--seed DIR]',
  summary: 'Serves a GitLab stand-in with a sample project; tokens sandbox-alice, sandbox-bob, sandbox-maria, …',
  async run(args) {
    const options = { port: { type: 'string', default: '3001' }, seed: { type: 'string' } } as const;
    const { values } = parseArgs({ args, options });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      process.stderr.write(`planwright: --port: expected 0 to 65535, got "${values.port}".\n`);
      return 2;
    }
    const { HOST: host, SANDBOX_PUBLIC_URL: publicUrl } = readEnvironment(['HOST', 'SANDBOX_PUBLIC_URL']);
    const sandbox = await startSandbox({
      port,
      ...(host === undefined ? {} : { host }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(values.seed === undefined ? {} : { seedDir: values.seed }),
    });
    process.stdout.write(`The sandbox GitLab serves at ${sandbox.url}\n`);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    });
    await sandbox.close();
    return 0;
  },
};
