/** Names in `allowed_tools` (spec 1: Movement): tools that exist here, and the aliases that older pieces use. */

const TOOLS = [
  'item_read',
  'discussions_read',
  'questions_read',
  'members_read',
  'repo_list',
  'repo_read',
  'repo_search',
  'repo_find',
  'repo_symbols',
  'repo_references',
  'repo_map',
  'repo_history',
  'report_read',
  'research_read',
  'workplan_read',
  'evaluations_read',
  'research_delegate',
] as const;

const ALIASES: Record<string, string> = { Read: 'repo_read', Glob: 'repo_list', Grep: 'repo_search', LS: 'repo_list' };

/** The tool of this name; null when there is none here. */
export function toolOf(name: string): string | null {
  const written = name.trim();
  if (Object.hasOwn(ALIASES, written)) return ALIASES[written] ?? null;
  return TOOLS.find((tool) => tool === written) ?? null;
}
