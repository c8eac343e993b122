/** `plan`, `status`, `continue`, `cancel`: a client of the HTTP API with a progress display (design: Commands). */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StatusAnswer } from '../app/status.ts';
import { readEnvironment } from '../config.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';
import { describeStatus } from './status-text.ts';

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

/** An issue's address: `https://HOST[/ROOT]/GROUP/PROJECT/-/issues/IID`; `project` still begins with the root. */
function parseIssueUrl(text: string): { project: string; iid: number } {
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
  if (api === undefined) throw new Misuse(`PLANWRIGHT_URL is not set. ${HELP}`);
  if (!URL.canParse(api)) throw new Misuse(`PLANWRIGHT_URL is no address. ${HELP}`);
  if (PLANWRIGHT_TOKEN === undefined) throw new Misuse(`PLANWRIGHT_TOKEN is not set. ${HELP}`);
  const target = { api: api.replace(/\/+$/, ''), token: PLANWRIGHT_TOKEN, ...parseIssueUrl(address) };
  return { target, json: values.json === true, wait: values.wait === true };
}

/**
 * Cuts the path under which GitLab itself is reached off the project's; the service says in its description which GitLab it serves. Two
 * names alone are a group and a project, whatever GitLab's path.
 */
async function withoutRoot(target: Target): Promise<Target> {
  if (target.project.split('/').length < 3) return target;
  const response = await reach(`${target.api}/openapi.json`);
  const described = response.ok ? ((await response.json()) as { externalDocs?: { url?: string } }) : {};
  const gitlab = described.externalDocs?.url ?? '';
  const root = URL.canParse(gitlab) ? decodeURIComponent(new URL(gitlab).pathname).replace(/^\/|\/$/g, '') : '';
  if (root === '' || !target.project.startsWith(`${root}/`)) return target;
  return { ...target, project: target.project.slice(root.length + 1) };
}

/** @throws Error that says which address did not answer, and why. */
async function reach(url: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${new URL(url).origin} does not answer: ${cause}. ${HELP}`);
  }
}

async function call<T>(target: Target, method: 'GET' | 'POST', path: string): Promise<T> {
  const url = `${target.api}/api/v1/projects/${encodeURIComponent(target.project)}/issues/${target.iid}/workplan${path}`;
  const headers = {
    authorization: `Bearer ${target.token}`,
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
  const response = await reach(url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  const answer = (await response.json()) as T & { detail?: string; code?: string };
  if (!response.ok) throw new Error(`${answer.detail ?? response.statusText} (${answer.code ?? response.status})`);
  return answer;
}

function command(name: string, summary: string, act: boolean): Command {
  return {
    usage: `${name} ISSUE_URL [--wait] [--json]`,
    summary: `${summary} ${HELP}`,
    async run(args) {
      const { target: given, json, wait: stay } = readTarget(args);
      const target = await withoutRoot(given);
      if (act) await call(target, 'POST', `/${name}`);
      const status = stay ? await follow(target) : await call<StatusAnswer>(target, 'GET', '');
      process.stdout.write(json ? `${JSON.stringify(status)}\n` : describeStatus(status));
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
    const line = `GENERATING  ${plainLine(status.movement ?? '')}  (step ${status.iteration})`;
    if (line !== shown) process.stderr.write(`${line}\n`);
    shown = line;
    await wait(POLL_MS);
  }
}

export const planCommand = command('plan', 'Asks for a plan of the issue.', true);
export const statusCommand = command('status', 'Shows where the plan of the issue stands.', false);
export const continueCommand = command(
  'continue',
  'Continues a waiting run; open questions get the recommended answers.',
  true,
);
export const cancelCommand = command('cancel', 'Stops the run of the issue.', true);
