import type { z } from 'zod';
import { PermanentFailure } from '../../ports/failures.ts';
import { one } from './calls.ts';
import type { Resource } from './resource.ts';

/** Asks GraphQL for what REST does not tell. A query is a POST that changes nothing, so it is repeated as a read is. */
export interface GraphQL {
  /** Null: GraphQL cannot be had, or is too old to know. */
  ask<T>(what: string, schema: z.ZodType<T>, query: string, options?: { signal?: AbortSignal }): Promise<T | null>;
}

/** For so long nobody asks again where there is no GraphQL at all: a proxy may let it through one day. */
const ABSENT_MS = 300_000;

export function createGraphQL(service: Resource, token: string): GraphQL {
  const requester = service.requesterFn({
    url: `${service.host}/api`,
    headers: {},
    authHeaders: { 'private-token': async () => token },
    rateLimits: {},
  });
  let absentUntil = 0;
  return {
    async ask(what, schema, query, options) {
      if (performance.now() < absentUntil) return null;
      const work = async (): Promise<unknown> => (await requester.post('graphql', { body: { query } })).body;
      try {
        return await one(what, schema, options, work, { readOnly: true });
      } catch (error) {
        if (!(error instanceof PermanentFailure)) throw error;
        if (error.code === 'gitlab_not_found') absentUntil = performance.now() + ABSENT_MS;
        return null;
      }
    },
  };
}
