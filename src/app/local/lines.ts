/** What a local run tells while it goes on: one line an event, for programs as it is, for people put into words (design: Commands). */
import { runsNoAgent } from '../../domain/piece/rules.ts';
import type { AgentMovement, Movement, Piece } from '../../domain/piece/types.ts';
import type { MatchMethod, RunEventBody } from '../../domain/run/events.ts';
import { LOOP_JUDGE } from '../../domain/run/variables.ts';

export type PermissionMode = 'bypassPermissions' | 'default';

export type LocalLine =
  | {
      event: 'start';
      movement: string;
      iteration: number;
      movementIteration: number;
      permissionMode: PermissionMode;
      parent?: string;
    }
  | { event: 'prompt'; movement: string; text: string }
  | { event: 'report'; movement: string; file: string; text: string }
  | {
      event: 'complete';
      movement: string;
      /** The rule's number; null when none was matched: `on_failure`, or a sub-movement without a result. */
      rule: number | null;
      condition: string | null;
      method: MatchMethod | null;
      parent?: string;
    }
  | { event: 'warning'; code: string; message: string }
  | { event: 'input'; movement: string }
  | EndLine;

export interface EndLine {
  event: 'end';
  status: 'completed' | 'aborted';
  /** Why it was aborted: a code, and what can be said about it. */
  reason?: string;
  iterations: number;
}

interface Counters {
  iteration: number;
  movementIteration: number;
}

/** Counters of the run at the event: of the movement that began last, and how often a loop monitor's judge began, this time included. */
export interface Told extends Counters {
  judgements: number;
}

/** What is told of a recorded event; most are told by one line, some by none. */
export function linesOf(piece: Piece, event: RunEventBody, told: Told): LocalLine[] {
  switch (event.type) {
    case 'movement_started': {
      const { movement, iteration, movementIteration } = event;
      const permissionMode = modeOf(piece.movements.find((candidate) => candidate.name === movement));
      return [{ event: 'start', movement, iteration, movementIteration, permissionMode }];
    }
    case 'agent_finished':
      return event.truncated
        ? [
            warning(
              'output_truncated',
              `The output of "${event.sub ?? event.movement}" was over 1 MiB: its beginning was cut.`,
            ),
          ]
        : [];
    case 'agent_failed':
      // Of a movement itself the run's end or its `on_failure` says it.
      return event.sub === null ? [] : [warning(event.code, `"${event.sub}" has no result: ${event.message}`)];
    case 'judge_answered':
      return event.error === undefined
        ? []
        : [
            warning(
              'judge_failed',
              `The judge of "${event.sub ?? event.movement}" (${event.stage}) failed: ${event.error}`,
            ),
          ];
    case 'action_finished':
      return event.data['skipped'] === true ? [warning('action_skipped', event.message)] : [];
    case 'report_written':
      return [{ event: 'report', movement: event.sub ?? event.movement, file: event.file, text: event.text }];
    case 'sub_completed': {
      const { movement: parent, sub: movement, rule, condition, method } = event;
      const complete: LocalLine = { event: 'complete', movement, rule, condition, method, parent };
      // One that runs an agent was told to start when its agent was.
      const found = subOf(piece, parent, movement);
      return found && runsNoAgent(found) ? [subStart(piece, parent, movement, told), complete] : [complete];
    }
    case 'movement_completed': {
      const { movement, rule, condition, method } = event;
      return [{ event: 'complete', movement, rule, condition, method }];
    }
    case 'loop_started': {
      const { iteration } = event;
      return [
        {
          event: 'start',
          movement: LOOP_JUDGE,
          iteration,
          movementIteration: told.judgements,
          permissionMode: 'default',
        },
      ];
    }
    case 'loop_judged': {
      const { rule, condition } = event;
      return [{ event: 'complete', movement: LOOP_JUDGE, rule, condition, method: 'loop_monitor' }];
    }
    case 'warning':
      return [warning(event.code, event.message)];
    case 'paused':
      return [{ event: 'input', movement: event.movement }];
    default:
      return [];
  }
}

/** The line of a sub-movement's start: it shares its parent's counters. */
export function subStart(piece: Piece, parent: string, sub: string, counters: Counters): LocalLine {
  const { iteration, movementIteration } = counters;
  const permissionMode = modeOf(subOf(piece, parent, sub));
  return { event: 'start', movement: sub, iteration, movementIteration, permissionMode, parent };
}

function subOf(piece: Piece, parent: string, sub: string): AgentMovement | undefined {
  const movement = piece.movements.find((candidate) => candidate.name === parent);
  return movement?.kind === 'parallel' ? movement.subs.find((candidate) => candidate.name === sub) : undefined;
}

function modeOf(movement: Movement | undefined): PermissionMode {
  return movement?.kind === 'agent' ? movement.permissionMode : 'default';
}

export function warning(code: string, message: string): LocalLine {
  return { event: 'warning', code, message };
}
