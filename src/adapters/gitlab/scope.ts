import { AsyncLocalStorage } from 'node:async_hooks';
import type { PageWatch } from './lists.ts';

/**
 * What one call of the port tells the requester beneath gitbeaker, which passes neither the caller's signal nor anything of
 * ours on.
 */
export interface CallScope {
  signal: AbortSignal | undefined;
  /** Watches the pages of a list; null when the call is no list. */
  pages: PageWatch | null;
  /** The answer is text whatever its content type says (a raw file). */
  asText: boolean;
  /** Asked with a person's own token: their limits are not the service's. */
  personal: boolean;
  /** It changes nothing, whatever its method: a query of GraphQL. */
  readOnly: boolean;
}

const storage = new AsyncLocalStorage<CallScope>();

/** Runs `work` so that every request begun in it belongs to this call. */
export function inScope<T>(scope: CallScope, work: () => Promise<T>): Promise<T> {
  return storage.run(scope, work);
}

/** The call a request belongs to; a request outside of any is a mistake of ours. */
export function currentScope(): CallScope {
  const scope = storage.getStore();
  if (!scope) throw new Error('a GitLab request began outside of a call of the port');
  return scope;
}
