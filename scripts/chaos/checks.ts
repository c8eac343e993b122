/** All checks of the chaos suite by name (issue: the chaos suite, must hold). */
import {
  endedOrVisiblyWaiting,
  lookedBeforePosting,
  markersOnce,
  noDeliveryLost,
  noReplyLost,
  nothingAskedAfterCancel,
  outboxIsEmpty,
} from './check-notes.ts';
import {
  acceptedActionsLedOn,
  commandsAnswered,
  logsAreWhole,
  noWriteUnderAnOldFence,
  oneLiveRunAnItem,
  pausesContinuedOnce,
} from './check-runs.ts';
import type { Check, History } from './history.ts';

const CHECKS: Record<string, Check> = {
  acceptedActionsLedOn,
  commandsAnswered,
  oneLiveRunAnItem,
  pausesContinuedOnce,
  noWriteUnderAnOldFence,
  logsAreWhole,
  markersOnce,
  lookedBeforePosting,
  nothingAskedAfterCancel,
  noReplyLost,
  endedOrVisiblyWaiting,
  noDeliveryLost,
  outboxIsEmpty,
};

/** What does not hold, each sentence after the name of its check. */
export function violations(history: History): string[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => check(history).map((problem) => `${name}: ${problem}`));
}
