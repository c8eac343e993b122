/** What `decide` asks the driver to do (D2). An effect may be performed twice (D7); its id is the same then. */
import type { ActionMovement } from '../piece/types.ts';

interface EffectBase {
  /** run + iteration + movement or sub-movement + stage + try, e.g. `RUN/3/plan/run/1` (D2). */
  id: string;
}

/** Pin the repository's commit and read what the run needs to know of the item. */
export interface PinEffect extends EffectBase {
  kind: 'pin';
}

/** Run an agent: a movement's, a sub-movement's, or (movement `loop_judge`) a loop monitor's judge. */
export interface AgentEffect extends EffectBase {
  kind: 'agent';
  movement: string;
  sub: string | null;
  /** Index of the loop monitor whose judge this is, else null. */
  monitor: number | null;
}

/** Ask a judge which of the conditions the output meets. Outcome: `judge_answered` (a failed judge is "no match"). */
export interface JudgeEffect extends EffectBase {
  kind: 'judge';
  stage: 'ai' | 'fallback';
  movement: string;
  sub: string | null;
  conditions: { index: number; text: string }[];
  output: string;
}

export interface ActionEffect extends EffectBase {
  kind: 'action';
  movement: string;
  action: ActionMovement['action'];
}

/** Read the eligible replies of the run's questions from GitLab, after a claim. */
export interface RepliesEffect extends EffectBase {
  kind: 'replies';
  pauseId: string;
}

export type Effect = PinEffect | AgentEffect | JudgeEffect | ActionEffect | RepliesEffect;
