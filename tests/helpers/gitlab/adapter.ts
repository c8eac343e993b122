import { createGitLab, type GitLabOptions } from '../../../src/adapters/gitlab/client.ts';
import type { GitLabPort } from '../../../src/ports/gitlab.ts';
import { createMemoryLog, type MemoryLog } from '../fakes/log.ts';
import { createSkippingClock, type SkippingClock } from '../fakes/skipping-clock.ts';

export interface AdapterUnderTest {
  gitlab: GitLabPort & { close(): Promise<void> };
  clock: SkippingClock;
  log: MemoryLog;
}

export const SERVICE_TOKEN = 'sandbox-planwright';

/** The GitLab adapter on a server of the test's own, without waiting between repeats and without jitter. */
export function openAdapter(baseUrl: string, options: Partial<GitLabOptions> = {}): AdapterUnderTest {
  const clock = createSkippingClock();
  const log = createMemoryLog();
  const gitlab = createGitLab({
    baseUrl,
    token: SERVICE_TOKEN,
    timeoutMs: 5_000,
    maxTotalMs: 60_000,
    clock,
    log,
    random: () => 0,
    ...options,
  });
  return { gitlab, clock, log };
}
