import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../../src/app/agent/tool.ts';
import type { ToolContext } from '../../../../src/app/agent/tool-context.ts';
import { createTools, narrowTools } from '../../../../src/app/agent/tools.ts';
import { files, gitlab, state } from '../../../helpers/agent-tools.ts';
import { createFakeSnapshot } from '../../../helpers/fakes/repository.ts';

function toolNamed(tools: Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.definition.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
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
      'repo_find',
      'repo_symbols',
      'repo_references',
      'repo_map',
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

    expect(local).not.toContain('discussions_read');
    expect(local).not.toContain('repo_history');
    expect(local).toContain('repo_read');
  });

  test('without an item what the run is to do is read in its place', async () => {
    const goal = 'Add a login page\nfor members';
    const tools = createTools({ gitlab: null, repository: null, state: state({ item: null, goal }) });

    const { output } = await toolNamed(tools, 'item_read').run({}, new AbortController().signal);

    expect(JSON.parse(output)).toMatchObject({ reference: 'local', title: 'Add a login page', description: goal });
  });

  test('every input is an object schema that takes no other keys', () => {
    const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state() });

    const schemas = tools.map((tool) => tool.definition.inputSchema);

    for (const schema of schemas) expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test.each([
    [undefined, 16],
    [['Read', 'Grep'], 2],
    [['Read', 'Bash'], 1],
    [['repo_list', 'LS', 'Glob'], 1],
    [['Bash', 'WebFetch'], 16],
    [[], 16],
  ])('allowed_tools %j leave %i', (allowed, count) => {
    const tools = createTools({ gitlab: gitlab(), repository: createFakeSnapshot(files), state: state() });

    expect(narrowTools(tools, allowed)).toHaveLength(count);
  });
});
