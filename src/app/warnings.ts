/** What is wrong around an item's run, for people to see. */
import type { ProjectSigns } from '../ports/project-watch.ts';

export interface Warning {
  /** `webhook_disabled` or `events_missed`. */
  code: string;
  message: string;
}

const SHOWN_MS = 86_400_000;

export function warningsOf(signs: ProjectSigns, now: Date): Warning[] {
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
  return warnings;
}
