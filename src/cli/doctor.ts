/** `planwright doctor [PROJECT]`: what is wrong, each finding with its remedy. */
import { parseArgs } from 'node:util';
import { exitCode, type Finding, failure } from '../app/doctor/finding.ts';
import { type Config, ConfigError, loadConfig, readEnvironment } from '../config.ts';
import { examine } from '../wire/doctor.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';

const SIGNS = { ok: '✔', info: '·', warning: '⚠', failure: '✖' } as const;

export const doctorCommand: Command = {
  usage: 'doctor [PROJECT] [--json]',
  summary:
    'Looks at settings, GitLab, token, PostgreSQL, Redis, model, clocks, disk and workers, with PROJECT also at its hook, labels, ' +
    'roles and settings file. Each finding has its remedy. Exit 1 on a failure, 0 with warnings. Nothing is changed and no model is asked.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    if (positionals.length > 1) {
      process.stderr.write(`planwright: expected at most one project.\nUsage: planwright ${doctorCommand.usage}\n`);
      return 2;
    }
    const findings = await look(positionals[0] ?? null);
    process.stdout.write(values.json ? `${JSON.stringify(findings)}\n` : describe(findings));
    return exitCode(findings);
  },
};

async function look(project: string | null): Promise<Finding[]> {
  const settings = settingsFindings();
  const config = usable();
  if (config === null) return settings;
  const publicUrlSet = readEnvironment(['PUBLIC_URL']).PUBLIC_URL !== undefined;
  const found = await examine(config, { project, publicUrlSet });
  return [...settings.filter(({ message }) => !SAID_BY_OTHERS.test(message)), ...found];
}

/** What is not set is said once, by what needs it. */
const SAID_BY_OTHERS = /^(?:DATABASE_URL|REDIS_URL|GITLAB_URL|GITLAB_TOKEN): not set/;

function settingsFindings(): Finding[] {
  try {
    loadConfig(undefined, 'service');
    return [{ check: 'environment', level: 'ok', message: 'The settings fit together.' }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => failure('environment', problem, 'see .env.example'));
  }
}

/** Null when a setting is so wrong that nothing can be looked at with it. */
function usable(): Config | null {
  try {
    return loadConfig(undefined, 'doctor');
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

function describe(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, message, remedy }) => {
    const line = `${SIGNS[level]} ${check.padEnd(14)} ${plainLine(message)}`;
    return remedy === undefined ? [line] : [line, `${' '.repeat(17)}→ ${plainLine(remedy)}`];
  });
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  lines.push('', `${count('failure')} failures, ${count('warning')} warnings`);
  return `${lines.join('\n')}\n`;
}
