import { z } from 'zod';

const Fault = z.strictObject({
  method: z.string().default('*'),
  path: z.string(),
  status: z.int().min(400).max(599).optional(),
  afterCommit: z.boolean().default(false),
  delayMs: z.int().min(0).max(600_000).default(0),
  times: z.int().min(1).default(1),
  /** Matching calls to let through first, e.g. to fail the second page of a list. */
  skip: z.int().min(0).default(0),
  headers: z.record(z.string(), z.string()).default({}),
});

/** A failure to play: it takes the next `times` calls that match and answers them in its own way. */
export type Fault = z.infer<typeof Fault>;

const DEFAULT_STATUS = 502;

/** The faults asked for and not used up, in the order they came. */
export class FaultList {
  private faults: { fault: Fault; pattern: RegExp; left: number; toSkip: number }[] = [];

  /** Adds a fault; throws with a text for people when it is not one. */
  add(input: unknown): Fault {
    const parsed = Fault.safeParse(input);
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
    const fault = parsed.data;
    this.faults.push({ fault, pattern: new RegExp(fault.path), left: fault.times, toSkip: fault.skip });
    return fault;
  }

  clear(): void {
    this.faults = [];
  }

  /** Those still to come, with how often. */
  list(): (Fault & { left: number })[] {
    return this.faults.map(({ fault, left }) => ({ ...fault, left }));
  }

  /** Takes the first fault that fits a call to `path` (without `/api/v4`), using it up by one. */
  take(method: string, path: string): Fault | null {
    const hit = this.faults.find(
      ({ fault, pattern }) => (fault.method === '*' || fault.method.toUpperCase() === method) && pattern.test(path),
    );
    if (!hit) return null;
    if (hit.toSkip > 0) {
      hit.toSkip -= 1;
      return null;
    }
    hit.left -= 1;
    if (hit.left === 0) this.faults = this.faults.filter((other) => other !== hit);
    return hit.fault;
  }
}

/** The status a fault answers with; null when it only delays. */
export function faultStatus(fault: Fault): number | null {
  if (fault.status !== undefined) return fault.status;
  return fault.delayMs > 0 && !fault.afterCommit ? null : DEFAULT_STATUS;
}

/** The answer of a fault as GitLab or the proxy before it would send it. */
export function faultAnswer(status: number, now: Date): { headers: Record<string, string>; body: string } {
  if (status === 429) {
    const reset = new Date(now.getTime() + 1000);
    return {
      headers: { 'content-type': 'text/plain', 'retry-after': '1', 'ratelimit-resettime': reset.toUTCString() },
      body: 'Retry later\n',
    };
  }
  if (status === 502 || status === 503 || status === 504) {
    return { headers: { 'content-type': 'text/html' }, body: `<html><body><h1>${status}</h1></body></html>` };
  }
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: `${status} (sandbox fault)` }),
  };
}
