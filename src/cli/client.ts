/** `plan`, `status`, `continue`, `approve`, `reject`, `replan`, `cancel`: a client of the HTTP API with a progress display (design: Commands). */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StatusAnswer } from '../app/status.ts';
import { readEnvironment } from '../config.ts';
import { httpUrl, IN_A_HEADER } from '../config-fields.ts';
import type { Command } from './command.ts';
import { plainLine } from './plain.ts';
import { describeStatus } from './status-text.ts';

interface Target {
  api: string;
  token: string;
  project: string;
  iid: number;
  /** Of the issue's address. */
  host: string;
}

const POLL_MS = 1000;
/** In a row: an API that is started anew is back by then. */
const MOST_MISSED = 60;
const OPTIONS = { api: { type: 'string' }, json: { type: 'boolean' }, wait: { type: 'boolean' } } as const;
const SERVICE_URL = httpUrl('the http(s) address of the service');
const HELP = 'The service is PLANWRIGHT_URL (or --api URL), the person the GitLab token in PLANWRIGHT_TOKEN.';

class Misuse extends TypeError {
  readonly code = 'ERR_PARSE_ARGS_ITEM';
}

/** The service cannot be reached, or says that it cannot answer now. */
class NotNow extends Error {}

/** An issue's address: `https://HOST[/ROOT]/GROUP/PROJECT/-/issues/IID`; `project` still begins with the root. */
function parseIssueUrl(text: string): { project: string; iid: number; host: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const match = url && /^\/(.+?)\/-\/(?:issues|work_items)\/(\d+)\/?$/.exec(decoded(url.pathname));
  if (!match?.[1])
    throw new Misuse(
      `Expected the address of an issue, e.g. https://gitlab.example.com/group/project/-/issues/1, got "${text}".`,
    );
  return { project: match[1], iid: Number(match[2]), host: url?.host ?? '' };
}

/** Empty where it is no encoding of a text. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

interface Call {
  target: Target;
  /** What comes after the address. */
  reason: string;
  json: boolean;
  wait: boolean;
}

function readCall(args: string[], takesReason: boolean): Call {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [address, ...more] = positionals;
  if (address === undefined || (more.length > 0 && !takesReason))
    throw new Misuse('Expected the address of one issue.');
  const { PLANWRIGHT_URL, PLANWRIGHT_TOKEN } = readEnvironment(['PLANWRIGHT_URL', 'PLANWRIGHT_TOKEN']);
  const api = values.api ?? PLANWRIGHT_URL;
  if (api === undefined) throw new Misuse(`PLANWRIGHT_URL is not set. ${HELP}`);
  const { data: service, error } = SERVICE_URL.safeParse(api);
  if (!service) throw new Misuse(`PLANWRIGHT_URL (or --api): expected ${error?.issues[0]?.message}. ${HELP}`);
  if (PLANWRIGHT_TOKEN === undefined) throw new Misuse(`PLANWRIGHT_TOKEN is not set. ${HELP}`);
  // What no header can hold would be repeated by the error of the call.
  if (!IN_A_HEADER.test(PLANWRIGHT_TOKEN))
    throw new Misuse(`PLANWRIGHT_TOKEN: expected a GitLab token, printable ASCII without white space. ${HELP}`);
  const target = { api: service, token: PLANWRIGHT_TOKEN, ...parseIssueUrl(address) };
  return { target, reason: more.join(' '), json: values.json === true, wait: values.wait === true };
}

/**
 * The service says in its description which GitLab it serves: an issue of another one is refused, before a token is sent anywhere, and the path
 * under which GitLab itself is reached is cut off the project's.
 */
async function atServedGitLab(target: Target): Promise<Target> {
  const response = await reach(`${target.api}/openapi.json`);
  const described = response.ok ? ((await jsonOf(response)) as { externalDocs?: { url?: string } } | null) : null;
  const served = URL.parse(described?.externalDocs?.url ?? '');
  if (served === null) return target;
  if (served.host !== target.host)
    throw new Misuse(
      `The service at ${target.api} plans issues of ${served.href.replace(/\/$/, '')}, and this one is at ${target.host}. ` +
        'If that is the same GitLab, give the address under the first name; else name another service with --api URL.',
    );
  const root = decodeURIComponent(served.pathname).replace(/^\/|\/$/g, '');
  if (root === '' || !target.project.startsWith(`${root}/`)) return target;
  // Two names alone are a group and a project, whatever GitLab's path.
  if (target.project.split('/').length < 3) return target;
  return { ...target, project: target.project.slice(root.length + 1) };
}

/** @throws Error that says which address did not answer, and why. */
async function reach(url: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new NotNow(`${new URL(url).origin} does not answer: ${cause}. ${HELP}`);
  }
}

/** Null where it is no JSON. */
function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

async function call<T extends { generationStatus: string }>(
  target: Target,
  method: 'GET' | 'POST',
  path: string,
  body: object = {},
): Promise<T> {
  const url = `${target.api}/api/v1/projects/${encodeURIComponent(target.project)}/issues/${target.iid}/workplan${path}`;
  const headers = {
    authorization: `Bearer ${target.token}`,
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
  const response = await reach(url, { method, headers, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) });
  const answer = (await jsonOf(response)) as (Partial<T> & { detail?: string; code?: string }) | null;
  if (!response.ok) {
    const message = `${answer?.detail ?? response.statusText} (${answer?.code ?? response.status})`;
    throw response.status >= 500 || response.status === 429 ? new NotNow(message) : new Error(message);
  }
  if (typeof answer?.generationStatus !== 'string')
    throw new Error(`${target.api} does not answer as this service does: is that its address? ${HELP}`);
  return answer as T;
}

interface Way {
  name: string;
  summary: string;
  /** False: it only looks. */
  acts: boolean;
  /** Whether a reason may follow the address, or must. */
  reason?: 'may' | 'must';
}

function command({ name, summary, acts, reason }: Way): Command {
  const word = reason === undefined ? '' : reason === 'must' ? ' REASON' : ' [REASON]';
  return {
    usage: `${name} ISSUE_URL${word} [--wait] [--json]`,
    summary: `${summary} ${HELP}`,
    async run(args) {
      const given = readCall(args, reason !== undefined);
      if (reason === 'must' && given.reason.trim() === '') throw new Misuse('Expected a reason after the address.');
      const target = await atServedGitLab(given.target);
      if (acts) await call(target, 'POST', `/${name}`, given.reason === '' ? {} : { reason: given.reason });
      const status = given.wait ? await follow(target) : await call<StatusAnswer>(target, 'GET', '');
      process.stdout.write(given.json ? `${JSON.stringify(status)}\n` : describeStatus(status));
      return status.generationStatus === 'FAILED' ? 1 : 0;
    },
  };
}

/** Shows on standard error what is going on until the run waits or ends. */
async function follow(target: Target): Promise<StatusAnswer> {
  let shown = '';
  let missed = 0;
  for (;;) {
    const status = await call<StatusAnswer>(target, 'GET', '').catch((error: unknown) => {
      missed += 1;
      // The run goes on without whoever looks at it.
      if (!(error instanceof NotNow) || missed > MOST_MISSED) throw error;
      return null;
    });
    if (status === null) {
      await wait(POLL_MS);
      continue;
    }
    missed = 0;
    if (status.generationStatus !== 'GENERATING') return status;
    const line = status.waitsForTurn
      ? `GENERATING  waits for its turn, ${status.waitsForTurn.ahead} ahead`
      : `GENERATING  ${plainLine(status.movement ?? '')}  (step ${status.iteration})`;
    if (line !== shown) process.stderr.write(`${line}\n`);
    shown = line;
    await wait(POLL_MS);
  }
}

export const planCommand = command({ name: 'plan', summary: 'Asks for a plan of the issue.', acts: true });
export const statusCommand = command({
  name: 'status',
  summary: 'Shows where the plan of the issue stands.',
  acts: false,
});
export const continueCommand = command({
  name: 'continue',
  summary: 'Continues a waiting run; open questions get the recommended answers.',
  acts: true,
});
export const approveCommand = command({ name: 'approve', summary: 'Approves what the run waits with.', acts: true });
export const rejectCommand = command({
  name: 'reject',
  summary: 'Rejects what the run waits with, and says why.',
  acts: true,
  reason: 'must',
});
export const replanCommand = command({
  name: 'replan',
  summary: 'Has a plan that is being carried out revised.',
  acts: true,
  reason: 'may',
});
export const cancelCommand = command({ name: 'cancel', summary: 'Stops the run of the issue.', acts: true });
