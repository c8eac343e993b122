import { z } from 'zod';
import type { RunState } from '../../domain/run/state.ts';
import { defineTool, type Tool } from './tool.ts';

const MAX_TITLE = 200;

/** Tools of a run without a work item (a piece run locally): what the run is to do stands in the item's place. */
export function localTools(state: RunState): Tool[] {
  return [
    defineTool({
      name: 'item_read',
      description: 'What this run is to do: title and description. There is no work item behind it.',
      input: z.strictObject({}),
      read: () => ({
        reference: 'local',
        title: titleOf(state.goal),
        description: state.goal,
        labels: [],
        state: 'opened',
        author: state.startedBy?.username ?? null,
        linked: [],
        mergeRequests: [],
      }),
    }),
  ];
}

function titleOf(goal: string): string {
  const [line = ''] = goal.trim().split(/[\r\n]/, 1);
  return Array.from(line).slice(0, MAX_TITLE).join('').trim();
}
