/** What is wrong around an item's run, for people to see. */

import type { RaisedWarning } from '../ports/project-warnings.ts';
import type { ProjectSigns } from '../ports/project-watch.ts';

export interface Warning {
  /** `webhook_disabled`, `events_missed`, `labels_refused` or `token_expires`. */
  code: string;
  message: string;
}

/** What is kept of a token that expires: the day, as GitLab writes it. */
export const TOKEN_EXPIRES = 'token_expires';

const SHOWN_MS = 86_400_000;

/** `raised`: what was kept besides, e.g. that the service may not set labels. */
export function warningsOf(signs: ProjectSigns, now: Date, raised: readonly RaisedWarning[] = []): Warning[] {
  const warnings: Warning[] = [];
  const { hook, missedAt } = signs;
  if (hook?.state === 'disabled') {
    const until = hook.until === null ? '' : ` until ${hook.until}`;
    const message =
      `GitLab has disabled this project's webhook${until} because its deliveries failed: comments are noticed late. ` +
      'A Maintainer can enable it again in the project under Settings, Webhooks, by sending a test.';
    warnings.push({ code: 'webhook_disabled', message });
  }
  if (missedAt !== null && now.getTime() - Date.parse(missedAt) < SHOWN_MS) {
    const message =
      `Something was found at ${missedAt} that GitLab had not told this service: comments may be noticed late. ` +
      "Check the project's webhook and its recent deliveries.";
    warnings.push({ code: 'events_missed', message });
  }
  for (const warning of raised) {
    const message = MESSAGES[warning.code]?.(warning.detail, now);
    if (message) warnings.push({ code: warning.code, message });
  }
  return warnings;
}

/** The day the service's GitLab token expires, where GitLab has told. */
export function tokenExpiry(raised: readonly RaisedWarning[]): Date | null {
  const day = Date.parse(raised.find(({ code }) => code === TOKEN_EXPIRES)?.detail ?? '');
  return Number.isNaN(day) ? null : new Date(day);
}

/** Null: it is over. */
const MESSAGES: Readonly<Record<string, (detail: string, now: Date) => string | null>> = {
  labels_refused: (detail) =>
    `The service's bot may not set labels in this project (${detail}), so boards do not show where plans stand and labels that ask for ` +
    'something stay. Give it at least the role Planner here.',
  [TOKEN_EXPIRES]: (day, now) =>
    // The day itself is the first on which it does not work any more.
    Date.parse(day) + SHOWN_MS < now.getTime()
      ? null
      : `The GitLab token of this service expires on ${day}: an operator must renew it, or planning stops. If that was done, this goes by itself.`,
};

/** Of a run at work: why nobody can go on with it. */
export function stallWarning({ code, at }: { code: string; at: string }): Warning {
  const message =
    `GitLab has refused this service's token since ${at}: nothing can be read or posted. The run goes on by itself when ` +
    'an operator has set a new token (GITLAB_TOKEN) and restarted the service; until then it can only be cancelled.';
  return { code, message };
}
