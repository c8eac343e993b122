import type { FaultList } from './faults.ts';
import type { HookSender } from './hooks.ts';
import type { RateLimiter } from './rate-limits.ts';
import type { SandboxState } from './state.ts';

/** What the routes share. */
export interface SandboxDeps {
  state: SandboxState;
  sender: HookSender;
  faults: FaultList;
  limiter: RateLimiter;
}
