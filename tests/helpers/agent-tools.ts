import type { ToolContext } from '../../src/app/agent/tool-context.ts';
import { createTools } from '../../src/app/agent/tools.ts';
import { initialState } from '../../src/domain/run/fold.ts';
import type { RunState } from '../../src/domain/run/state.ts';
import type { GitLabPort } from '../../src/ports/gitlab.ts';
import { createFakeSnapshot } from './fakes/repository.ts';
import { createStrictGitLab, issue, member, people, project } from './fakes/strict-gitlab.ts';

const itemRef = {
  globalId: 102,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 2,
  title: 'Issue 2',
  webUrl: 'https://gitlab.example.com/acme/sample/-/issues/2',
  reference: 'acme/sample#2',
};

export function state(more: Partial<RunState> = {}): RunState {
  return { ...initialState('run-1'), item: itemRef, ...more };
}

export function gitlab(methods: Partial<GitLabPort> = {}): GitLabPort {
  return createStrictGitLab({
    me: async () => people.planwright,
    user: async (id) => Object.values(people).find((user) => user.id === id) ?? null,
    project: async (id) => (id === 1 ? project() : null),
    members: async () => [member(people.alice, 'Developer'), member(people.planwright, 'Developer')],
    issue: async (projectId, iid) => (projectId === 1 && iid === 2 ? issue() : null),
    linkedIssues: async () => [],
    hierarchy: async () => ({ parent: null, children: [], more: false }),
    relatedMergeRequests: async () => [],
    discussions: async () => [],
    ...methods,
  });
}

export const files = {
  'README.md': '# Sample\n',
  'src/app.ts': 'import x;\nexport function start() {}\nstart();\n',
  'src/logo.png': null,
};

export async function ask(context: Partial<ToolContext>, name: string, input: unknown = {}) {
  const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state(), ...context });
  const tool = tools.find((candidate) => candidate.definition.name === name);
  if (!tool) throw new Error(`no tool ${name}; there are ${tools.map((known) => known.definition.name).join()}`);
  const { output, isError } = await tool.run(input, new AbortController().signal);
  return { value: JSON.parse(output), output, isError };
}
