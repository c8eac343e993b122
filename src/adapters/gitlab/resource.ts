import type { createRequesterFn } from '@gitbeaker/requester-utils';

/** What every gitbeaker resource is made with. */
export type Resource = {
  host: string;
  requesterFn: ReturnType<typeof createRequesterFn>;
  /** gitbeaker's own timeout and limits are switched off: the requester has its own. */
  queryTimeout: null;
  rateLimits: Record<string, never>;
} & ({ token: string } | { oauthToken: string });
