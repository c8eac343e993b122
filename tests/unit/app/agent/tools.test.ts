import { describe, expect, test } from 'vitest';
import { resultLimit } from '../../../../src/app/agent/tool.ts';
import type { ToolContext } from '../../../../src/app/agent/tool-context.ts';
import { createTools, narrowTools } from '../../../../src/app/agent/tools.ts';
import { initialState } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';
import type { GitLabPort } from '../../../../src/ports/gitlab.ts';
import { createFakeGitLab, discussion, issue, member, note, people, project } from '../../../helpers/fakes/gitlab.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';

const itemRef = {
  globalId: 102,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 2,
  title: 'Issue 2',
  webUrl: 'https://gitlab.example.com/acme/sample/-/issues/2',
  reference: 'acme/sample#2',
};

function state(more: Partial<RunState> = {}): RunState {
  return { ...initialState('run-1'), item: itemRef, ...more };
}

function gitlab(methods: Partial<GitLabPort> = {}): GitLabPort {
  return createFakeGitLab({
    me: async () => people.planwright,
    user: async (id) => Object.values(people).find((user) => user.id === id) ?? null,
    project: async (id) => (id === 1 ? project() : null),
    members: async () => [member(people.alice, 'Developer'), member(people.planwright, 'Developer')],
    issue: async (projectId, iid) => (projectId === 1 && iid === 2 ? issue() : null),
    linkedIssues: async () => [],
    relatedMergeRequests: async () => [],
    discussions: async () => [],
    ...methods,
  });
}

const files = {
  'README.md': '# Sample\n',
  'src/app.ts': 'import x;\nexport function start() {}\nstart();\n',
  'src/logo.png': null,
};

async function ask(context: Partial<ToolContext>, name: string, input: unknown = {}) {
  const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state(), ...context });
  const tool = tools.find((candidate) => candidate.definition.name === name);
  if (!tool) throw new Error(`no tool ${name}; there are ${tools.map((known) => known.definition.name).join()}`);
  const { output, isError } = await tool.run(input, new AbortController().signal);
  return { value: JSON.parse(output), output, isError };
}

describe('which tools there are', () => {
  function names(context: Partial<ToolContext>): string[] {
    const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state(), ...context });
    return tools.map((tool) => tool.definition.name);
  }

  test('all of them for an item with a repository', () => {
    expect(names({})).toEqual([
      'item_read',
      'discussions_read',
      'members_read',
      'repo_list',
      'repo_read',
      'repo_search',
      'repo_symbols',
      'repo_history',
      'questions_read',
      'report_read',
      'research_read',
      'workplan_read',
      'evaluations_read',
    ]);
  });

  test('without a repository none that reads one', () => {
    expect(names({ repository: null }).filter((name) => name.startsWith('repo_'))).toEqual([]);
  });

  test('without an item none that reads GitLab', () => {
    const local = names({ gitlab: null, state: state({ item: null }) });

    expect(local).not.toContain('item_read');
    expect(local).not.toContain('repo_history');
    expect(local).toContain('repo_read');
  });

  test('every input is an object schema that takes no other keys', () => {
    const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state() });

    const schemas = tools.map((tool) => tool.definition.inputSchema);

    for (const schema of schemas) expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test.each([
    [undefined, 13],
    [['Read', 'Grep'], 2],
    [['Read', 'Bash'], 1],
    [['repo_list', 'LS', 'Glob'], 1],
    [['Bash', 'WebFetch'], 13],
    [[], 13],
  ])('allowed_tools %j leave %i', (allowed, count) => {
    const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state() });

    expect(narrowTools(tools, allowed)).toHaveLength(count);
  });
});

describe('the item', () => {
  test('is read with its author, links and merge requests', async () => {
    const { value } = await ask(
      {
        gitlab: gitlab({
          linkedIssues: async () => [issue({ iid: 5, title: 'Later' })],
          relatedMergeRequests: async () => [
            {
              iid: 3,
              title: 'Try',
              state: 'opened',
              webUrl: 'https://gitlab.example.com/acme/sample/-/merge_requests/3',
            },
            {
              iid: 4,
              title: 'Elsewhere',
              state: 'opened',
              webUrl: 'https://gitlab.example.com/acme/secret/-/merge_requests/4',
            },
          ],
        }),
      },
      'item_read',
    );

    expect(value).toEqual({
      reference: 'acme/sample#2',
      title: 'Issue 2',
      description: 'Something is wanted.',
      labels: [],
      state: 'opened',
      author: 'alice',
      linked: [{ reference: 'acme/sample#5', title: 'Later', state: 'opened' }],
      mergeRequests: [{ reference: '!3', title: 'Try', state: 'opened' }],
    });
  });

  test.each([
    ['an open item of the project', {}, {}, true],
    ['a confidential one', { confidential: true }, {}, false],
    ['a confidential one of a confidential item', { confidential: true }, { confidential: true }, true],
    ['one of a public project', { projectId: 7 }, {}, true],
    ['one of a private project', { projectId: 8 }, {}, false],
    ['a confidential one of a public project', { projectId: 7, confidential: true }, { confidential: true }, false],
    ['one of a project that cannot be seen', { projectId: 9 }, {}, false],
  ])('as a link, %s', async (_case, link, own, shown) => {
    const { value } = await ask(
      {
        gitlab: gitlab({
          issue: async () => issue(own),
          linkedIssues: async () => [issue({ iid: 5, ...link })],
          project: async (id) =>
            id === 9 ? null : project({ id: Number(id), visibility: id === 7 ? 'public' : 'private' }),
        }),
      },
      'item_read',
    );

    expect(value.linked).toHaveLength(shown ? 1 : 0);
  });

  test('an internal project is open to a private one and not to a public one', async () => {
    async function linkedFrom(visibility: 'private' | 'public'): Promise<unknown[]> {
      const source = gitlab({
        linkedIssues: async () => [issue({ iid: 5, projectId: 7 })],
        project: async (id) => (id === 7 ? project({ id: 7, visibility: 'internal' }) : project({ visibility })),
      });
      return (await ask({ gitlab: source }, 'item_read')).value.linked;
    }

    expect([(await linkedFrom('private')).length, (await linkedFrom('public')).length]).toEqual([1, 0]);
  });

  test('that is gone is said', async () => {
    const { value, isError } = await ask({ gitlab: gitlab({ issue: async () => null }) }, 'item_read');

    expect([isError, value.error.code]).toEqual([true, 'item_missing']);
  });

  test('no input selects another one', async () => {
    const { value, isError } = await ask({}, 'item_read', { iid: 7 });

    expect([isError, value.error.code]).toEqual([true, 'invalid_input']);
  });

  test('a failure of GitLab is told to the agent', async () => {
    const failing = gitlab({
      discussions: async () => {
        throw new TransientFailure('gitlab_unavailable', 'GitLab answered 503.');
      },
    });

    const { value, isError } = await ask({ gitlab: failing }, 'discussions_read');

    expect(isError).toBe(true);
    expect(value.error).toEqual({
      code: 'gitlab_unavailable',
      message: 'GitLab answered 503. It may work later; go on with what you have.',
    });
  });
});

describe('discussions', () => {
  test("hold people's notes only", async () => {
    const { value } = await ask(
      {
        gitlab: gitlab({
          discussions: async () => [
            discussion(
              'd1',
              note(people.alice, 'Please in CSV.', { id: 31 }),
              note(people.planwright, 'A question', { id: 32 }),
              note(people.carol, 'Me too.', { id: 33 }),
            ),
            discussion('d2', note(people.alice, 'changed the title', { id: 34, system: true })),
            discussion('d3', note(people.alice, 'Between us.', { id: 35, internal: true })),
          ],
        }),
      },
      'discussions_read',
    );

    expect(value.notes).toEqual([
      {
        id: 31,
        author: 'alice',
        role: 'Developer',
        createdAt: '2026-01-05T09:00:00.000Z',
        discussionId: 'd1',
        text: 'Please in CSV.',
      },
      expect.objectContaining({ id: 33, author: 'carol', role: null }),
    ]);
  });

  test('that are too long are cut at the end, with a notice', async () => {
    const notes = Array.from({ length: 40 }, (_, index) => note(people.alice, 'x'.repeat(3000), { id: index }));

    const { value, output } = await ask(
      { gitlab: gitlab({ discussions: async () => [discussion('d1', ...notes)] }) },
      'discussions_read',
    );

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value.notes.length).toBeGreaterThan(15);
    expect(value.notice).toBe(
      `notes: ${value.notes.length} of 40 entries shown; narrow the call down to see the rest.`,
    );
  });

  test('one note that is longer than a result is cut', async () => {
    const long = discussion('d1', note(people.alice, 'x'.repeat(100_000)));

    const { output, isError } = await ask({ gitlab: gitlab({ discussions: async () => [long] }) }, 'discussions_read');

    expect(isError).toBe(false);
    expect(output.length).toBeLessThanOrEqual(resultLimit);
  });

  test('what no store takes is replaced', async () => {
    const odd = discussion('d1', note(people.alice, 'a\0b\ud800c'));

    const { value } = await ask({ gitlab: gitlab({ discussions: async () => [odd] }) }, 'discussions_read');

    expect(value.notes[0].text).not.toMatch(/\0/);
    expect(value.notes[0].text.isWellFormed()).toBe(true);
  });
});

test('members are the active ones without the service', async () => {
  const source = gitlab({
    members: async () => [
      member(people.alice, 'Developer'),
      member(people.bob, 'Reporter', { active: false }),
      member(people.planwright, 'Developer'),
    ],
  });

  const { value } = await ask({ gitlab: source }, 'members_read');

  expect(value).toEqual({ members: [{ username: 'alice', role: 'Developer' }] });
});

describe('the repository', () => {
  test('is listed with its commit', async () => {
    expect((await ask({}, 'repo_list', { under: './src/' })).value).toEqual({
      commit: 'c0ffee',
      files: [
        { path: 'src/app.ts', size: 46, lines: 3, binary: false },
        { path: 'src/logo.png', size: 0, lines: 0, binary: true },
      ],
      more: false,
    });
  });

  test('a list that does not fit says that there is more', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`src/module-${index}/file.ts`, 'x\n']));

    const { value, output } = await ask({ repository: createFakeSnapshot(many) }, 'repo_list', { limit: 2000 });

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value.more).toBe(true);
    expect(value.files.length).toBeGreaterThan(500);
  });

  test('a file is read by lines', async () => {
    expect((await ask({}, 'repo_read', { path: '/src/app.ts', startLine: 2, endLine: 2 })).value).toEqual({
      path: 'src/app.ts',
      startLine: 2,
      endLine: 2,
      totalLines: 3,
      text: 'export function start() {}',
      notice: 'More lines follow: read on from line 3.',
    });
  });

  test('at most 400 lines come at once', async () => {
    const repository = createFakeSnapshot({ 'big.txt': `${'line\n'.repeat(1000)}` });

    const { value } = await ask({ repository }, 'repo_read', { path: 'big.txt', startLine: 101, endLine: 1000 });

    expect(value).toMatchObject({
      startLine: 101,
      endLine: 500,
      totalLines: 1000,
      notice: expect.stringContaining('501'),
    });
  });

  test('long lines are read in portions of whole lines', async () => {
    const repository = createFakeSnapshot({ 'wide.txt': `${'x'.repeat(9999)}\n`.repeat(10) });

    const { value, output } = await ask({ repository }, 'repo_read', { path: 'wide.txt' });

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value).toMatchObject({ startLine: 1, endLine: 4, totalLines: 10, notice: 'Read on from line 5.' });
  });

  test.each([
    ['a file that is elsewhere', 'repo_read', { path: 'lib/App.ts' }, 'not_found', 'Did you mean src/app.ts?'],
    ['a binary file', 'repo_read', { path: 'src/logo.png' }, 'not_found', 'not a text file'],
    ['a line behind the end', 'repo_read', { path: 'src/app.ts', startLine: 9 }, 'out_of_range', 'has 3 lines'],
    ['lines backwards', 'repo_read', { path: 'src/app.ts', startLine: 3, endLine: 1 }, 'invalid_input', 'before'],
    ['a folder that is not there', 'repo_list', { under: 'docs' }, 'not_found', 'no folder docs'],
    ['symbols of nothing', 'repo_symbols', {}, 'invalid_input', 'expected name or path'],
    ['a search for nothing', 'repo_search', { query: ' ' }, 'invalid_input', 'query'],
    ['a path out of the repository', 'repo_read', { path: '../../etc/passwd' }, 'not_found', 'no file'],
  ])('%s is an error that helps', async (_case, name, input, code, hint) => {
    const { value, isError } = await ask({}, name, input);

    expect(isError).toBe(true);
    expect(value.error).toEqual({ code, message: expect.stringContaining(hint) });
  });

  test('is searched', async () => {
    expect((await ask({}, 'repo_search', { query: 'export' })).value.hits).toEqual([
      { path: 'src/app.ts', line: 2, excerpt: '2: export function start() {}', score: 1 },
    ]);
  });

  test.each([[{ name: 'start' }], [{ path: 'src/app.ts' }], [{ name: 'start', path: 'src/app.ts' }]])(
    'symbols are found by %j',
    async (input) => {
      expect((await ask({}, 'repo_symbols', input)).value.symbols).toMatchObject([{ name: 'start', startLine: 2 }]);
    },
  );

  test("a file's history is that of the pinned commit", async () => {
    const asked: unknown[] = [];
    const source = gitlab({
      fileHistory: async (projectId, sha, path, limit) => {
        asked.push([projectId, sha, path, limit]);
        return [{ id: 'c1', title: 'Begin', authoredAt: '2026-01-01T00:00:00Z' }];
      },
    });

    const { value } = await ask({ gitlab: source }, 'repo_history', { path: 'src/app.ts' });

    expect(asked).toEqual([[1, 'c0ffee', 'src/app.ts', 20]]);
    expect(value.commits).toHaveLength(1);
  });
});
