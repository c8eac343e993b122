/** `planwright check`: the checks that code makes of a Workplan, for people and pipelines. */
import { parseArgs } from 'node:util';
import { PermanentFailure } from '../ports/failures.ts';
import { type CheckAnswer, checkPlanFile } from '../wire/check.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';

export const checkCommand: Command = {
  usage: 'check PLAN.json --repo DIR [--at COMMIT] [--json]',
  summary:
    'Checks a Workplan against a git repository (bare too) or a folder, as a run does before it is written; exit 1 when something fails.\n      Without --at: the commit that its findings cite, else HEAD. --json prints {ok, commit, questionsKnown, checks: [{code, ok, message}]}.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { repo: { type: 'string' }, at: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) return wrong(`expected one PLAN.json, got ${positionals.length}`);
    if (values.repo === undefined) return wrong('expected --repo DIR, the repository that the plan is about');
    try {
      const answer = await checkPlanFile({ file, folder: values.repo, at: values.at ?? null });
      const failed = answer.checks.filter((check) => !check.ok);
      process.stdout.write(values.json ? `${JSON.stringify({ ok: failed.length === 0, ...answer })}\n` : shown(answer));
      return failed.length === 0 ? 0 : 1;
    } catch (error) {
      if (!(error instanceof PermanentFailure)) throw error;
      return wrong(error.message, false);
    }
  },
};

function shown({ commit, questionsKnown, checks }: CheckAnswer): string {
  const failed = checks.filter((check) => !check.ok);
  const lines = failed.map(({ code, message }) => plainLine(`${code}: ${message}`));
  const held = checks.length - failed.length;
  const at = commit === null ? '' : ` at ${commit.slice(0, 12)}`;
  const summary =
    failed.length === 0 ? `All ${held} checks hold${at}.` : `${failed.length} problems${at}; ${held} checks hold.`;
  const unknown = questionsKnown || failed.some(({ code }) => code === 'schema');
  return `${[...lines, unknown ? summary : `${summary} Decisions were not compared with questions: the file names none.`].join('\n')}\n`;
}

function wrong(message: string, usage = true): number {
  process.stderr.write(`planwright: ${plainLine(message)}\n`);
  if (usage) process.stderr.write(`Usage: planwright ${checkCommand.usage}\n`);
  return 2;
}
