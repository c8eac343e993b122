/** The work that all contestants do: 6 movements without latency, 2 kB each, one pause after the third and a Continue. */
import type { PieceBundle } from '../../src/domain/piece/types.ts';
import type { ModelPort } from '../../src/ports/model.ts';

export const MOVEMENTS = 6;
export const PAUSE_AFTER = 3;
export const OUTPUT = 'A sentence of forty characters, no more. '.repeat(50).slice(0, 2000);

const movement = (number: number): string => `
  - name: m${number}
    edit: false
    pass_previous_response: true
    instruction_template: "Do step ${number} of {task}"
    rules:
      - condition: done
        next: ${number === MOVEMENTS ? 'COMPLETE' : `m${number + 1}`}
      - condition: needs an answer
        next: ABORT
        requires_user_input: true
        interactive_only: true`;

/** The Workplan action is there so that the piece is accepted for items; no rule leads to it. */
export const piece: PieceBundle = {
  name: 'workplan',
  file: 'workplan.yaml',
  text: `name: workplan
max_iterations: 20
initial_movement: m1
movements:${Array.from({ length: MOVEMENTS }, (_, index) => movement(index + 1)).join('')}
  - name: write
    action: publish_workplan
    rules:
      - condition: done
        next: COMPLETE
      - condition: failed
        next: ABORT
`,
  files: {},
};

/** Answers at once: 2 kB and a tag; asks once, in the movement of the pause. */
export function createCostlessModel(): ModelPort {
  return {
    label: 'costless',
    complete: async ({ tag }) => {
      const asks = tag.movement === `m${PAUSE_AFTER}` && tag.position.movement === 0;
      return {
        text: `${OUTPUT}\n\n[STEP:${asks ? 1 : 0}]`,
        toolCalls: [],
        usage: { inputTokens: 500, outputTokens: 500, estimated: true },
      };
    },
  };
}
