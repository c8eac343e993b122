import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import type { Perform } from './driver.ts';

export type Said = Partial<Extract<RunEventBody, { type: 'agent_finished' }>> | 'fails';

/** Agents that say what stands here by their name, in turn; the last stays. Judges find nothing. */
export function agents(says: Record<string, Said[]>, actions: Record<string, 'done' | 'failed'> = {}): Perform {
  return (effect, state) => {
    if (effect.kind === 'replies')
      return [
        { type: 'replies_read', effectId: effect.id, pauseId: effect.pauseId, answers: [], inputs: [], assume: true },
      ];
    if (effect.kind === 'pin') throw new Error('the driver pins');
    const { id: effectId, movement } = effect;
    if (effect.kind === 'action')
      return [
        { type: 'action_finished', effectId, movement, outcome: actions[movement] ?? 'done', message: '', data: {} },
      ];
    const place = { effectId, movement, sub: effect.sub };
    if (effect.kind === 'judge') return [{ type: 'judge_answered', ...place, stage: effect.stage, index: null }];
    const name = effect.sub ?? movement;
    const said = says[name]?.[Math.min(state.calls.movement[name] ?? 0, (says[name]?.length ?? 0) - 1)];
    if (said === undefined) throw new Error(`unexpected call of ${name}`);
    if (said === 'fails') return [{ type: 'agent_failed', ...place, code: 'model_failed', message: 'gone' }];
    const base = { output: `${name} said`, truncated: false, produced: null, session: null, messages: [] };
    return [{ type: 'agent_finished', ...place, ...base, ...said }];
  };
}

/** Values that an agent hands over. */
export const inputs = (
  variables: Record<string, string | number | boolean>,
  properties: Record<string, unknown> = {},
) => ({
  inputs: { variables, properties },
});
