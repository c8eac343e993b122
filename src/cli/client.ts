/** `plan`, `status`, `continue`, `cancel`: a client of the HTTP API with a progress display (design: Commands). */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StatusAnswer } from '../app/status.ts';
import { readEnvironment } from '../config.ts';
import type { Command } from './command.ts';

interface Target {
  api: string;
  token: string;
  project: string;
  iid: number;
}

const POLL_MS = 1000;
const OPTIONS = { api: { type: 'string' }, json: { type: 'boolean' }, wait: { type: 'boolean' } } as const;
const HELP = 'The service is PLANWRIGHT_URL (or --api URL), the person the GitLab token in PLANWRIGHT_TOKEN.';

class Misuse extends TypeError {
  readonly code = 'ERR_PARSE_ARGS_ITEM';
}

/** An issue's address: `https://HOST[/ROOT]/GROUP/PROJECT/-/issues/IID`; the root is cut by what the service says of itself. */
export function parseIssueUrl(text: string): { project: string; iid: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const match = url && /^\/(.+?)\/-\/(?:issues|work_items)\/(\d+)\/?$/.exec(decodeURIComponent(url.pathname));
  if (!match?.[1])
    throw new Misuse(
      `Expected the address of an issue, e.g. https://gitlab.example.com/group/project/-/issues/1, got "${text}".`,
    );
  return { project: match[1], iid: Number(match[2]) };
}

function readTarget(args: string[]): { target: Target; json: boolean; wait: boolean } {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new Misuse('Expected the address of one issue.');
  const { PLANWRIGHT_URL, PLANWRIGHT_TOKEN } = readEnvironment(['PLANWRIGHT_URL', 'PLANWRIGHT_TOKEN']);
  const api = values.api ?? PLANWRIGHT_URL;
  if (api === undefined || !URL.canParse(api)) throw new Misuse(`PLANWRIGHT_URL is no address. ${HELP}`);
  if (PLANWRIGHT_TOKEN === undefined) throw new Misuse(`PLANWRIGHT_TOKEN is not set. ${HELP}`);
  const target = { api: api.replace(/\/+$/, ''), token: PLANWRIGHT_TOKEN, ...parseIssueUrl(address) };
  return { target, json: values.json === true, wait: values.wait === true };
}

async function call<T>(target: Target, method: 'GET' | 'POST', path: string): Promise<T> {
  const url = `${target.api}/api/v1/projects/${encodeURIComponent(target.project)}/issues/${target.iid}/workplan${path}`;
  const headers = {
    authorization: `Bearer ${target.token}`,
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
  const response = await fetch(url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  const answer = (await response.json()) as T & { detail?: string; code?: string };
  if (!response.ok) throw new Error(`${answer.detail ?? response.statusText} (${answer.code ?? response.status})`);
  return answer;
}

function command(name: string, summary: string, act: boolean): Command {
  return {
    usage: `${name} ISSUE_URL [--wait] [--json]`,
    summary: `${summary} ${HELP}`,
    async run(args) {
      const { target, json, wait: stay } = readTarget(args);
      if (act) await call(target, 'POST', `/${name}`);
      const status = stay ? await follow(target) : await call<StatusAnswer>(target, 'GET', '');
      process.stdout.write(json ? `${JSON.stringify(status)}\n` : describe(status));
      return status.generationStatus === 'FAILED' ? 1 : 0;
    },
  };
}

/** Shows on standard error what is going on until the run waits or ends. */
async function follow(target: Target): Promise<StatusAnswer> {
  let shown = '';
  for (;;) {
    const status = await call<StatusAnswer>(target, 'GET', '');
    if (status.generationStatus !== 'GENERATING') return status;
    const line = `GENERATING  ${status.movement ?? ''}  (step ${status.iteration})`;
    if (line !== shown) process.stderr.write(`${line}\n`);
    shown = line;
    await wait(POLL_MS);
  }
}

/** Printable one-liners: what people wrote may hold control characters. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function describe(status: StatusAnswer): string {
  const lines = [
    `${status.generationStatus}${status.pause ? ` (${status.pause.kind})` : ''}${status.reason ? `: ${status.reason}` : ''}`,
  ];
  for (const question of status.questions) {
    lines.push('', `${question.state === 'open' ? '?' : '✔'} ${plain(question.question)}`);
    question.options.forEach((option, index) => {
      lines.push(`    ${index + 1}. ${plain(option.label)}${option.recommended ? '  (recommended)' : ''}`);
    });
    if (question.noteUrl) lines.push(`    ${question.noteUrl}`);
  }
  if (status.workplan) {
    lines.push('', plain(status.workplan.goal));
    for (const unit of status.workplan.units) {
      const after = unit.dependsOn.length > 0 ? `  after ${unit.dependsOn.join(', ')}` : '';
      lines.push(`  ${plain(unit.id)} [${unit.size}] ${plain(unit.title)}${after}`);
    }
  }
  if (status.score) lines.push('', `Score ${status.score.value} (${status.score.band})`);
  return `${lines.join('\n')}\n`;
}

export const planCommand = command('plan', 'Asks for a plan of the issue.', true);
export const statusCommand = command('status', 'Shows where the plan of the issue stands.', false);
export const continueCommand = command(
  'continue',
  'Continues a waiting run; open questions get the recommended answers.',
  true,
);
export const cancelCommand = command('cancel', 'Stops the run of the issue.', true);
