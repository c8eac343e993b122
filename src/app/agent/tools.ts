/** What agents may read (spec 2: What agents may read): read-only, and bound to the run's project, item and commit. */
import type { AgentMovement } from '../../domain/piece/types.ts';
import type { Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { itemTools } from './tools-item.ts';
import { localTools } from './tools-local.ts';
import { repositoryTools } from './tools-repository.ts';
import { runTools } from './tools-run.ts';

/** The tools there is something to read for. Their inputs never select a project or an item: those are the run's. */
export function createTools(context: ToolContext): Tool[] {
  const { gitlab, repository, state, allowedBots } = context;
  const { item } = state;
  return [
    ...(gitlab && item ? itemTools(gitlab, item, allowedBots ?? []) : []),
    ...(item ? [] : localTools(state)),
    ...(repository ? repositoryTools(repository, gitlab && item ? { gitlab, item } : null) : []),
    ...runTools(state, repository),
  ];
}

/** The tools of one agent: those of `createTools`, narrowed by its movement; a loop monitor's judge (null) has all. */
export function agentTools(input: {
  gitlab: ToolContext['gitlab'];
  snapshot: ToolContext['repository'];
  state: ToolContext['state'];
  movement: AgentMovement | null;
  allowedBots: readonly number[];
}): Tool[] {
  const { gitlab, snapshot, state, allowedBots } = input;
  return narrowTools(createTools({ gitlab, repository: snapshot, state, allowedBots }), input.movement?.allowedTools);
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['Read', 'repo_read'],
  ['Glob', 'repo_list'],
  ['LS', 'repo_list'],
  ['Grep', 'repo_search'],
]);

/** Narrows the tools by a movement's `allowed_tools`, as far as it names some that exist; nothing left: all (spec 1: Movement). */
export function narrowTools(tools: Tool[], allowed: string[] | undefined): Tool[] {
  const names = new Set(allowed?.map((name) => aliases.get(name) ?? name));
  const kept = tools.filter((tool) => names.has(tool.definition.name));
  return kept.length > 0 ? kept : tools;
}
