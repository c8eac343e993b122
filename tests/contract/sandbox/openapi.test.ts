import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSandbox, type Sandbox } from '../../../sandbox/app.ts';
import { Params } from '../../../sandbox/request.ts';
import { Description } from '../../helpers/gitlab-description/description.ts';
import { SCRIPT, type Step } from './script.ts';

/** Calls GitLab documents in its pages and that are no part of the description in the fixtures. */
const ELSEWHERE =
  /^(?:GET \/users|POST \/users\/:id\/\w+|GET \/personal_access_tokens\/self|GET \/todos|GET \/projects|\w+ \/groups\/.*|\w+ \/projects\/:id\/(?:transfer|archive|unarchive|share.*|search|merge_requests\/:requestIid\/merge)|GET \/projects\/:id\/repository\/archive\.tar\.gz|POST \/projects\/:id\/issues\/:iid\/(?:clone|move))$/;

/** Names the description does not have, each with why the sandbox does. */
const BEYOND: { why: string; call: RegExp; names: string[] }[] = [
  {
    why: 'GitLab pages these lists, by its headers; the description leaves the parameters out',
    call: /^GET .*\/(?:participants|related_merge_requests|closed_by)$/,
    names: ['page', 'per_page'],
  },
  {
    why: 'members are flat: the description nests the person below `user`',
    call: / \/projects\/:id\/members/,
    names: ['id', 'username', 'public_email', 'name', 'state', 'locked', 'avatar_url', 'web_url'],
  },
  {
    why: 'signing tokens came with 19.0, the description is of 18.9',
    call: / \/projects\/:id\/hooks/,
    names: ['signing_token', 'signing_token_present', 'token_present'],
  },
];

/** The description has this list answer discussions; GitLab answers the notes of one. */
const NOTES_OF_THREAD = 'GET /projects/:id/issues/:iid/discussions/:discussionId/notes';

/** Calls whose answer is a list, all others answer one object or text. */
const LISTS =
  /^GET .*\/(?:users|todos|projects|members|members\/all|labels|issues|participants|related_merge_requests|closed_by|merge_requests|resource_label_events|links|notes|award_emoji|discussions|hooks|tree|commits|branches|search)$/;

interface Answered extends Step {
  status: number;
  answer: unknown;
  /** Names it read of query and body. */
  read: string[];
}

const description = new Description();
const answered: Answered[] = [];
let sandbox: Sandbox;
let receiver: Server;

beforeAll(async () => {
  sandbox = await buildSandbox();
  receiver = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { state } = sandbox;
  const project = state.project(1);
  project.members.set(state.userNamed('maria').id, 50);
  project.groups[0]?.members.set(state.userNamed('maria').id, 50);
  state.userNamed('maria').admin = true;
  const other = state.addProject({ path: 'acme/other', members: { maria: 'Owner' } });
  const known: Record<string, unknown> = {
    other: other.id,
    receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_all, name: string) => String(known[name]));
  const read = new Set<string>();
  const deafen = listen(read);
  for (const step of SCRIPT) {
    read.clear();
    const response = await sandbox.app.inject({
      method: step.method,
      url: `/api/v4${filled(step.url)}`,
      headers: { 'private-token': `sandbox-${step.as ?? 'maria'}` },
      ...(step.body === undefined ? {} : { payload: JSON.parse(filled(JSON.stringify(step.body))) }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    const answer: unknown = isJson ? JSON.parse(response.body) : undefined;
    answered.push({ ...step, status: response.statusCode, answer, read: [...read] });
    if (step.keep !== undefined) known[step.keep] = ([answer].flat()[0] as { id?: unknown }).id;
  }
  deafen();
});
afterAll(async () => {
  await sandbox.app.close();
  await new Promise((resolve) => receiver.close(resolve));
});

test('every call the sandbox serves is held against the description', () => {
  const made = new Set(SCRIPT.map(({ call }) => call));
  expect(sandbox.calls.filter((call) => !made.has(call))).toEqual([]);
  expect(SCRIPT.filter(({ call }) => !sandbox.calls.includes(call))).toEqual([]);
});

test('only calls that are named here are not described', () => {
  const missing = sandbox.calls.filter((call) => description.find(call) === null);
  expect(missing.filter((call) => !ELSEWHERE.test(call))).toEqual([]);
  expect(sandbox.calls.filter((call) => ELSEWHERE.test(call) && !missing.includes(call))).toEqual([]);
});

describe.each(SCRIPT.map((step, index) => ({ index, call: step.call, url: step.url })))('$call ($url)', ({ index }) => {
  function made(): Answered {
    const one = answered[index];
    if (!one) throw new Error('The call was not made.');
    return one;
  }

  test('answers with a status of the description', () => {
    const { call, status, answer } = made();
    const described = description.find(call);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    if (described) expect([...described.statuses]).toContain(status);
  });

  test('takes and answers nothing that GitLab does not', () => {
    const { call, read, answer } = made();
    const described = description.find(call === NOTES_OF_THREAD ? `${call}/:noteId` : call);
    if (!described) return;
    const beyond = new Set(BEYOND.filter((known) => known.call.test(call)).flatMap(({ names }) => names));
    const fields = described.answers === null ? [] : description.unknownFields(answer, described.answers);
    expect(read.filter((name) => !described.takes.has(name) && !beyond.has(name))).toEqual([]);
    expect([...new Set(fields)].filter((name) => !beyond.has(name))).toEqual([]);
  });

  test('answers a list exactly where GitLab does, with integers and booleans where it has them', () => {
    const { call, answer } = made();
    expect(Array.isArray(answer)).toBe(LISTS.test(call));
    expect(oddTypes(answer)).toEqual([]);
  });
});

test('a made-up field, name and status are found', () => {
  const described = description.find('GET /projects/:id/issues/:iid');
  if (!described?.answers) throw new Error('The call is not described.');
  expect(
    description.unknownFields({ iid: 1, author: { id: 1, mood: 'good' }, colour: 'red' }, described.answers),
  ).toEqual(['author.mood', 'colour']);
  expect(described.takes.has('mood')).toBe(false);
  expect([...described.statuses]).toEqual([200]);
});

/** GitLab answers numbers for ids and levels, and booleans for flags, whatever the description says; `name: value` of each that is none. */
function oddTypes(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(oddTypes);
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => {
    const isNumber =
      /^(?:iid|access_level|project_id|user_id|noteable_id|awardable_id|resource_id|size|group_id)$/.test(name);
    const isFlag =
      /^(?:confidential|internal|system|resolved|resolvable|archived|locked|bot|individual_note|default)$/.test(name);
    if (isNumber && typeof value !== 'number') return [`${name}: ${JSON.stringify(value)}`];
    if (isFlag && typeof value !== 'boolean') return [`${name}: ${JSON.stringify(value)}`];
    return oddTypes(value);
  });
}

/** Notes every name that the sandbox reads of query and body, until the answer is called. */
function listen(read: Set<string>): () => void {
  const { text, has, list } = Params.prototype;
  Params.prototype.text = function (name) {
    read.add(name);
    return text.call(this, name);
  };
  Params.prototype.has = function (name) {
    read.add(name);
    return has.call(this, name);
  };
  Params.prototype.list = function (name) {
    read.add(name);
    return list.call(this, name);
  };
  return () => void Object.assign(Params.prototype, { text, has, list });
}
