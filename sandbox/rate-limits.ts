import { z } from 'zod';

const perMinute = z.int().min(1).nullable();

export const RateLimitPatch = z.strictObject({
  /** Requests a minute and token; over it GitLab's throttle answers. Null: nobody is refused. */
  requestsPerMinute: perMinute.optional(),
  /** New notes a minute and user: a limit of the application, which sends no `RateLimit-…` headers. */
  notesPerMinute: perMinute.optional(),
  /** Archives a minute and user, likewise. */
  archivesPerMinute: perMinute.optional(),
  /** False: no answer carries `RateLimit-…`, as with a throttle that is off. */
  headers: z.boolean().optional(),
});

interface RateLimits {
  requestsPerMinute: number | null;
  notesPerMinute: number | null;
  archivesPerMinute: number | null;
  headers: boolean;
}

export interface Refusal {
  headers: Record<string, string>;
  body: string;
}

export interface Verdict {
  headers: Record<string, string>;
  refusal: Refusal | null;
}

const NONE: RateLimits = { requestsPerMinute: null, notesPerMinute: null, archivesPerMinute: null, headers: true };

/** Counts the calls of whole minutes, as GitLab's two layers do: the throttle before the application, and its own limits. */
export class RateLimiter {
  private limits: RateLimits = { ...NONE };
  private readonly counts = new Map<string, { minute: number; count: number }>();
  private readonly spokenLimit: number;

  /** `spokenLimit`: what the headers say while nobody is refused. */
  constructor(spokenLimit: number) {
    this.spokenLimit = spokenLimit;
  }

  set(patch: z.infer<typeof RateLimitPatch>): RateLimits {
    for (const [name, value] of Object.entries(patch)) {
      if (value !== undefined) this.limits = { ...this.limits, [name]: value };
    }
    this.counts.clear();
    return this.limits;
  }

  get(): RateLimits {
    return this.limits;
  }

  clear(): void {
    this.limits = { ...NONE };
    this.counts.clear();
  }

  /** The throttle: counts a call of this token and says its headers, and whether it goes no further. */
  throttle(token: string, now: Date): Verdict {
    const limit = this.limits.requestsPerMinute ?? this.spokenLimit;
    const count = this.count(`throttle ${token}`, now);
    const reset = (Math.floor(now.getTime() / 60_000) + 1) * 60;
    const headers = this.limits.headers
      ? {
          'ratelimit-limit': String(limit),
          'ratelimit-name': 'throttle_authenticated_api',
          'ratelimit-observed': String(count),
          'ratelimit-remaining': String(Math.max(0, limit - count)),
          'ratelimit-reset': String(reset),
        }
      : {};
    if (this.limits.requestsPerMinute === null || count <= limit) return { headers, refusal: null };
    const refused: Record<string, string> = {
      'content-type': 'text/plain',
      'retry-after': String(Math.max(1, reset - Math.floor(now.getTime() / 1000))),
    };
    if (this.limits.headers) refused['ratelimit-resettime'] = new Date(reset * 1000).toUTCString();
    return { headers, refusal: { headers: refused, body: 'Retry later\n' } };
  }

  /** The application's own limits, for a known user. */
  application(username: string, method: string, path: string, now: Date): Refusal | null {
    const note = method === 'POST' && /\/issues\/[^/]+\/(?:notes|discussions|discussions\/[^/]+\/notes)$/.test(path);
    const archive = method === 'GET' && /\/repository\/archive(?:\.tar\.gz)?$/.test(path);
    const limit = note ? this.limits.notesPerMinute : archive ? this.limits.archivesPerMinute : null;
    if (limit === null || this.count(`${note ? 'notes' : 'archives'} ${username}`, now) <= limit) return null;
    const error = 'This endpoint has been requested too many times. Try again later.';
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message: { error } }) };
  }

  private count(key: string, now: Date): number {
    const minute = Math.floor(now.getTime() / 60_000);
    const known = this.counts.get(key);
    const count = known?.minute === minute ? known.count + 1 : 1;
    this.counts.set(key, { minute, count });
    return count;
  }
}
