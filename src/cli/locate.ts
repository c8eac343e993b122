/** `planwright locate`: the files of a local repository that an issue is about. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type LocateAnswer, locateIn } from '../wire/locate.ts';
import type { Command } from './command.ts';
import { plainText } from './plain.ts';

const DEFAULT_TOP = 10;
const MAX_TOP = 1_000;

export const locateCommand: Command = {
  usage: 'locate REPO_DIR --issue FILE [--at COMMIT] [--top N] [--json]',
  summary:
    'Ranks the files of a git repository (bare too) or plain folder by how likely an issue is about them, with reasons. FILE - reads the issue from standard input.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        issue: { type: 'string' },
        at: { type: 'string' },
        top: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [folder, ...rest] = positionals;
    const top = Number(values.top ?? DEFAULT_TOP);
    if (folder === undefined || rest.length > 0) return wrong(`expected one REPO_DIR, got ${positionals.length}`);
    if (values.issue === undefined) return wrong('expected --issue FILE with the text of the issue');
    if (!Number.isInteger(top) || top < 1 || top > MAX_TOP)
      return wrong(`--top: expected a number from 1 to ${MAX_TOP}, got "${values.top}"`);
    const issue = await issueOf(values.issue);
    const answer = await locateIn({ folder, issue, at: values.at ?? null, top });
    for (const note of answer.notes.slice(0, 5)) process.stderr.write(`planwright: ${plainText(note)}\n`);
    if (answer.files.length === 0) process.stderr.write(`planwright: ${nothingFound(issue)}\n`);
    process.stdout.write(values.json ? `${JSON.stringify(answer.files)}\n` : shown(answer));
    return 0;
  },
};

async function issueOf(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`--issue: expected a file with the text of the issue, ${file} cannot be read${reason}`);
  }
}

function nothingFound(issue: Buffer): string {
  return issue.toString('utf8').trim() === ''
    ? 'the issue is empty, so no file can be found for it'
    : 'no file has any of the words of the issue';
}

function shown({ files }: LocateAnswer): string {
  return files
    .map(({ path, score, why }, place) => {
      const reasons = why.map((one) => `      ${plainText(one)}\n`).join('');
      return `${String(place + 1).padStart(3)}. ${plainText(path)}  ${score.toFixed(2)}\n${reasons}`;
    })
    .join('');
}

function wrong(message: string): number {
  process.stderr.write(`planwright: ${plainText(message)}.\nUsage: planwright ${locateCommand.usage}\n`);
  return 2;
}
