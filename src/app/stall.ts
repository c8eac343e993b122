/**
 * What no run can go on with, and no run is to blame for: GitLab refuses the service's own token. Nothing could even be told then, so runs wait
 * as deliveries do, until an operator sets a new token (spec 2: It tells; docs/operating.md).
 */
import type { RunState } from '../domain/run/state.ts';
import { PermanentFailure } from '../ports/failures.ts';

/** GitLab refuses the token: it has expired or was exchanged. */
const UNAUTHORIZED = 'gitlab_unauthorized';

/** How long a run that stalls is left alone before it is tried again. */
export const STALL_MS = 5 * 60_000;
/** As long as deliveries are tried; then the run fails. */
const LONGEST_STALL_MS = 7 * 86_400_000;

export function isStall(error: unknown): boolean {
  return error instanceof PermanentFailure && error.code === UNAUTHORIZED;
}

/** An effect that cannot be done now by anybody: the run is left, not failed. */
export class Stalled extends Error {
  readonly code: string;
  constructor(failure: PermanentFailure) {
    super(failure.message);
    this.name = 'Stalled';
    this.code = failure.code;
  }
}

/** Has it waited too long already? */
export function isStalledForGood({ stalled }: Pick<RunState, 'stalled'>, now: Date): boolean {
  return stalled !== null && now.getTime() - Date.parse(stalled.at) > LONGEST_STALL_MS;
}
