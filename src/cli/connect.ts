/** `planwright connect PROJECT`: the project's webhook and labels, idempotent; and what its settings file says. */
import { parseArgs } from 'node:util';
import { type ConnectReport, connectProject, HOOK_PATH } from '../app/connect.ts';
import { readSettings, SETTINGS_FILE, SETTINGS_SAMPLE } from '../app/project-settings.ts';
import { type Config, loadConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import type { GitLabProject } from '../ports/gitlab.ts';
import { openGitLab } from '../wire/infrastructure.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';

export const connectCommand: Command = {
  usage: 'connect PROJECT [--dry-run] [--keep-others]',
  summary:
    "Creates the project's webhook to this service and its labels, or brings them up to date; PROJECT is an id or a path. " +
    "GITLAB_TOKEN must be a Maintainer's for it. A hook to another address that ends with /webhooks/gitlab is taken for this " +
    "service's old one, unless --keep-others is given.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false }, 'keep-others': { type: 'boolean', default: false } },
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) {
      process.stderr.write(`planwright: expected one project.\nUsage: planwright ${connectCommand.usage}\n`);
      return 2;
    }
    return connect(loadConfig(undefined, 'connect'), name, {
      dryRun: values['dry-run'],
      keepOthers: values['keep-others'],
    });
  },
};

async function connect(
  config: Config,
  name: string,
  options: { dryRun: boolean; keepOthers: boolean },
): Promise<number> {
  const gitlab = openGitLab(config, createLogger({ level: 'error' }));
  try {
    const project = await gitlab.project(name);
    if (!project) {
      process.stderr.write(
        `planwright: there is no project "${plainLine(name)}", or the owner of GITLAB_TOKEN is no member of it.\n`,
      );
      return 1;
    }
    const hook = {
      url: `${config.publicUrl}${HOOK_PATH}`,
      token: config.webhookToken,
      signingToken: config.webhookSigningToken,
    };
    const report = await connectProject(gitlab.setup, project.id, hook, options);
    const settings = await settingsLines(gitlab, project, report.hook.done === 'created');
    const lines = [`${project.path} (project ${project.id})`, ...reportLines(report, options.dryRun), ...settings];
    process.stdout.write(`${lines.map(plainLine).join('\n')}\n`);
    return 0;
  } finally {
    await gitlab.close();
  }
}

function reportLines({ hook, labels }: ConnectReport, dryRun: boolean): string[] {
  const would = dryRun ? 'would be ' : '';
  const done = hook.done === 'unchanged' ? 'as it should be' : `${would}${hook.done}`;
  const lines = [`  webhook   ${done}`, ...[...hook.changes, ...hook.remarks].map((text) => `              ${text}`)];
  lines.push(
    labels.created.length > 0
      ? `  labels    ${would}created: ${labels.created.join(', ')}`
      : `  labels    ${labels.remarks.length > 0 ? 'not complete' : 'all there'}`,
    ...labels.remarks.map((text) => `              ${text}`),
  );
  const nothing = hook.done === 'unchanged' && labels.created.length === 0;
  if (nothing || dryRun) lines.push('  Nothing was changed.');
  return lines;
}

/** `first`: the project was not connected before, so a file to begin with is of use. */
async function settingsLines(
  gitlab: ReturnType<typeof openGitLab>,
  project: GitLabProject,
  first: boolean,
): Promise<string[]> {
  const { defaultBranch } = project;
  if (defaultBranch === null) return ['  settings  there is no repository: the defaults hold'];
  const text = await gitlab.rawFile(project.id, defaultBranch, SETTINGS_FILE).catch(() => undefined);
  if (text === undefined) return [`  settings  ${SETTINGS_FILE} could not be read`];
  if (text === null && !first) return [`  settings  no ${SETTINGS_FILE} on ${defaultBranch}: the defaults hold`];
  if (text === null)
    return [
      `  settings  no ${SETTINGS_FILE} on ${defaultBranch}: the defaults hold. To say otherwise, begin with:`,
      '',
      ...SETTINGS_SAMPLE.trimEnd()
        .split('\n')
        .map((line) => `    ${line}`),
    ];
  const read = await readSettings(gitlab, project);
  return [read.ok ? `  settings  ${SETTINGS_FILE} is valid` : `  settings  every action is refused: ${read.message}`];
}
