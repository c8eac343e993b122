import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue, Project } from '../../../sandbox/model.ts';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';
import { createAudience } from '../../../src/app/delivery/audience.ts';
import { deliverOutbox } from '../../../src/app/delivery/outbox.ts';
import { tellRefusal } from '../../../src/app/delivery/tell.ts';
import { findMarkers } from '../../../src/domain/text/marker.ts';
import { withoutPlan } from '../../../src/domain/workplan/description.ts';
import { renderNotice } from '../../../src/domain/workplan/notices.ts';
import type { ItemRef } from '../../../src/domain/workplan/people.ts';
import { createFakeClock } from '../../helpers/fakes/clock.ts';
import { createMemoryOutbox } from '../../helpers/fakes/outbox-store.ts';
import { createMemoryRunStore } from '../../helpers/fakes/run-store.ts';
import { type AdapterUnderTest, openAdapter } from '../../helpers/gitlab/adapter.ts';
import { HOSTILE } from '../../helpers/hostile/corpus.ts';
import { effects, visibleWords } from '../../helpers/hostile/oracle.ts';
import type { Hostile } from '../../helpers/hostile/texts.ts';
import { descriptionRowsOf, rowsOf, STARTER } from './rows.ts';

/** Every hostile text, posted as the service posts it: rendered, through the outbox and the adapter, to an item of the sandbox. */
const DESCRIPTION = 'What is to be done.\n\n- [ ] It is done.';
const never = new AbortController().signal;
/** Two questions, gate, plan, end, two status notes, and the answer to a command. */
const NOTES = 8;

interface Posted {
  hostile: Hostile;
  issue: Issue;
  before: object;
}

let sandbox: SandboxHandle;
let adapter: AdapterUnderTest;
let project: Project;
let untouched: object;
let posted: Posted[];
const failures: unknown[] = [];

beforeAll(async () => {
  // Thousands of requests, and the adapter keeps to what the headers say.
  sandbox = await startSandbox({ rateLimit: 1_000_000_000 });
  adapter = openAdapter(sandbox.url);
  const { state } = sandbox;
  const members = { alice: 'Developer', bob: 'Reporter', maria: 'Maintainer', planwright: 'Maintainer' };
  project = state.addProject({ path: 'acme/hostile', members });
  state.addProject({ path: 'acme/other', members });
  const bystander = state.project(1);
  untouched = structuredClone(bystander.issues);
  posted = HOSTILE.map((hostile) => {
    const issue = newIssue(hostile.name);
    return { hostile, issue, before: fieldsOf(issue) };
  });
  await post(posted);
}, 180_000);
afterAll(async () => {
  await adapter.gitlab.close();
  await sandbox.close();
});

function newIssue(title: string): Issue {
  const authorId = sandbox.state.userNamed('alice').id;
  return sandbox.state.addIssue(project, { title, description: DESCRIPTION, authorId });
}

/** All of an item but what is written on it. */
function fieldsOf({ discussions: _discussions, updatedAt: _updatedAt, ...rest }: Issue): object {
  return structuredClone(rest);
}

function itemOf(issue: Issue): ItemRef {
  return {
    globalId: issue.id,
    projectId: project.id,
    projectPath: project.path,
    iid: issue.iid,
    title: issue.title,
    webUrl: `${sandbox.url}/${project.path}/-/issues/${issue.iid}`,
    reference: `${project.path}#${issue.iid}`,
  };
}

async function post(all: readonly Posted[], rows = rowsOf, told = true): Promise<void> {
  const clock = createFakeClock();
  const { data } = createMemoryRunStore(clock);
  const outbox = createMemoryOutbox(data, clock);
  const cause = { actionKey: null, deliveryId: null };
  for (const { hostile, issue } of all) {
    const item = itemOf(issue);
    const status = `${issue.iid}-question`;
    const line = renderNotice({ language: 'en', who: 'bob', given: hostile.text, code: 'no', message: hostile.text });
    const notice = { itemGlobalId: issue.id, runId: status, key: hostile.name, text: line };
    await outbox.add(rows(item, hostile.text), cause, told ? [notice] : []);
    if (!told) continue;
    const place = { ...item, itemGlobalId: item.globalId, itemUrl: item.webUrl, description: '', noteId: 1 };
    const refusal = { code: 'piece_invalid', message: hostile.text };
    const actionKey = `refused ${issue.iid}`;
    const queue = { wakeDeliveries: async () => undefined };
    await tellRefusal({ outbox, queue }, { ...place, discussionId: null }, refusal, {
      actionKey,
      deliveryId: actionKey,
    });
  }
  const { gitlab, log } = adapter;
  const audience = createAudience({ gitlab, clock });
  await deliverOutbox({ outbox, gitlab, audience, clock, log, owner: 'test', limit: 20, holdMs: 30_000 }, never);
  failures.push(...data.failures, ...outbox.postponed, ...data.outbox);
}

const ours = (issue: Issue) => sandbox.state.notesOf(issue);

/** A note without what is the service's own: marker, payload, folded parts, and the mention of who started the run. */
function foreignPart(body: string): string {
  return body
    .replace(/^<!-- planwright:[^\s<>]* -->$/gm, '')
    .replace(/^<!-- duo-question \{[^<>]*\} -->$/gm, '')
    .replace(/^<\/?details>$|^<summary>[^<>\n]*<\/summary>$|<\/?sub>/gm, '')
    .replaceAll(`@${STARTER.username} — `, '')
    .replace(/(?<=^\*\*[^\n]*\*\* )@alice$/gm, '');
}

function offenders(isBad: (one: Posted) => boolean): string[] {
  return posted.filter(isBad).map(({ hostile }) => hostile.name);
}

test('everything was posted', () => {
  expect(failures.slice(0, 3)).toEqual([]);
  expect(offenders(({ issue }) => ours(issue).length !== NOTES)).toEqual([]);
});

test('no item is changed but for the notes on it', () => {
  expect(offenders(({ issue, before }) => JSON.stringify(fieldsOf(issue)) !== JSON.stringify(before))).toEqual([]);
  expect(project.issues).toHaveLength(posted.length);
});

test('no other item is changed', () => {
  expect(sandbox.state.project(1).issues).toEqual(untouched);
  expect(sandbox.state.projects.flatMap(({ path, issues }) => (path === 'acme/other' ? issues : []))).toEqual([]);
});

test('nobody is reminded but who started the run, and who asked', () => {
  const reminded = new Set(sandbox.state.todos.map(({ userId }) => sandbox.state.user(userId).username));
  expect([...reminded].toSorted()).toEqual(['alice', 'bob']);
  const strangers = sandbox.state.todos.filter(({ userId, noteId, issueId }) => {
    const body = ours(sandbox.state.issue(issueId)).find((note) => note.id === noteId)?.body ?? '';
    return sandbox.state.user(userId).username === 'bob' && !/^- ⚠️ @bob /m.test(body);
  });
  expect(strangers).toEqual([]);
});

test('every note carries its own marker and no other', () => {
  expect(offenders(({ issue }) => ours(issue).some(({ body }) => findMarkers(body).length !== 1))).toEqual([]);
  const keys = posted.flatMap(({ issue }) =>
    ours(issue).map(({ body }) => `${issue.iid} ${JSON.stringify(findMarkers(body))}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('nothing in a note is drawn, embedded, hidden or followed', () => {
  const found = posted.flatMap(({ hostile, issue }) =>
    ours(issue).flatMap(({ body }) =>
      effects(foreignPart(body.replaceAll('@bob ', ''))).map((effect) => `${hostile.name}: ${effect}`),
    ),
  );
  expect(found).toEqual([]);
});

test('the words stay', () => {
  const lost = posted.flatMap(({ hostile, issue }) => {
    const plan = ours(issue).find(({ body }) => body.includes('kind=plan'))?.body ?? '';
    const words = visibleWords(plan).replaceAll('\u200b', '');
    return hostile.keeps.filter((word) => !words.includes(word)).map((word) => `${hostile.name}: ${word}`);
  });
  expect(lost).toEqual([]);
});

describe('a plan in the description', () => {
  let described: Posted[];
  const before = failures.length;

  beforeAll(async () => {
    described = HOSTILE.map((hostile) => {
      const issue = newIssue(hostile.name);
      return { hostile, issue, before: fieldsOf(issue) };
    });
    await post(described, descriptionRowsOf, false);
  }, 180_000);

  test('leaves everything around it, and the rest of the item, as it was', () => {
    expect(failures.slice(before, before + 3)).toEqual([]);
    const changed = described.filter(({ issue, before: old }) => {
      const now = { ...fieldsOf(issue), description: withoutPlan(issue.description ?? '') };
      return (
        JSON.stringify(now) !== JSON.stringify(old) || !(issue.description ?? '').startsWith(`${DESCRIPTION}\n\n<!-- `)
      );
    });
    expect(changed.map(({ hostile }) => hostile.name)).toEqual([]);
  });

  test('does nothing in it', () => {
    const found = described.flatMap(({ hostile, issue }) =>
      effects(foreignPart(issue.description ?? '')).map((effect) => `${hostile.name}: ${effect}`),
    );
    expect(found).toEqual([]);
  });
});

test('posted as they are, without cleaning, most of the texts do act in the sandbox', async () => {
  const acted: string[] = [];
  for (const hostile of HOSTILE) {
    const issue = newIssue(hostile.name);
    const before = { fields: JSON.stringify(fieldsOf(issue)), todos: sandbox.state.todos.length };
    // A text of commands only is no note: the adapter says so.
    await adapter.gitlab.createNote(project.id, issue.iid, hostile.text).catch(() => undefined);
    const changed = JSON.stringify(fieldsOf(issue)) !== before.fields || sandbox.state.todos.length > before.todos;
    const shown = ours(issue).some(({ body }) => effects(body).length > 0);
    if (changed) acted.push(hostile.name);
    else if (shown) acted.push(`shown: ${hostile.name}`);
  }
  expect(acted.filter((name) => !name.startsWith('shown')).length).toBeGreaterThan(100);
  expect(acted.length).toBeGreaterThan(HOSTILE.length * 0.7);
});
