import type { PieceBundle } from '../../domain/piece/types.ts';
import type { ClaimedRun, ClaimRuns, RunSettings } from '../../ports/run-store.ts';
import type { Executor } from './connect.ts';
import { createGather } from './gather.ts';
import { type StoredRun, toEvents, toRunRow } from './run-rows.ts';
import { logOf, runColumns } from './run-sql.ts';

interface Claim {
  runId: string;
  worker: string;
  leaseMs: number;
  maxFormat: number;
}

export type LoadedRun = StoredRun & {
  settings: string;
  piece_hash: string;
  lease_token: string | null;
  log: string | null;
};
export type Bundles = (hash: string) => Promise<PieceBundle>;

/** Claims of one moment, of however many calls, leave in one statement that also loads the logs. */
export function createClaim(db: Executor, bundles: Bundles, max: number) {
  const claimOne = createGather<Claim, LoadedRun | null>({
    keyOf: (claim) => claim.runId,
    flush: (claims) => claimRuns(db, claims),
    max,
  });
  return async ({ runIds, failed, ...terms }: ClaimRuns): Promise<ClaimedRun[]> => {
    const wanted = [...new Set(runIds)];
    const outcomes = await Promise.allSettled(
      wanted.map(async (runId) => {
        const run = await claimOne({ runId, ...terms });
        return run && toClaimedRun(run, bundles);
      }),
    );
    const claimed = outcomes.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
    // One that cannot be claimed or read must not keep those that were claimed beside it: they are held by now.
    for (const [index, one] of outcomes.entries()) {
      if (one.status !== 'rejected') continue;
      if (claimed.length === 0) throw one.reason;
      failed?.(wanted[index] ?? '', one.reason);
    }
    return claimed;
  };
}

async function toClaimedRun(run: LoadedRun, bundles: Bundles): Promise<ClaimedRun> {
  return {
    row: toRunRow(run),
    fence: run.fence,
    piece: await bundles(run.piece_hash),
    settings: JSON.parse(run.settings) as RunSettings,
    events: toEvents(run.log),
    leaseToken: run.lease_token,
  };
}

async function claimRuns(db: Executor, claims: Claim[]): Promise<(LoadedRun | null)[]> {
  const rows = await db.execute<LoadedRun>(CLAIM_RUNS, [
    claims.map((claim) => claim.runId),
    claims.map((claim) => claim.worker),
    claims.map((claim) => claim.leaseMs),
    claims.map((claim) => claim.maxFormat),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claims.map((claim) => byId.get(claim.runId) ?? null);
}

const CLAIM_RUNS = `-- claim_runs
with input as materialized (
  select i.* from unnest($1::uuid[], $2::text[], $3::int[], $4::int[]) as i(run, worker, lease_ms, max_format) order by i.run
),
claimed as (
  update runs r set fence = r.fence + 1, owner = i.worker, held_until = now() + i.lease_ms * interval '1 millisecond'
  from input i
  -- Not compared plainly: by the index of what generates each claim would look at all runs that do.
  where r.id = i.run and coalesce(r.status, '') = 'GENERATING' and (r.owner is null or r.held_until < now()) and r.format <= i.max_format
    and r.waits_since is null
  returning r.*
)
select ${runColumns('c', 'd')}, c.lease_token, d.settings, d.piece_hash, ${logOf('c.id')} as log
from claimed c join run_definitions d on d.run_id = c.id`;

interface Hold {
  runId: string;
  fence: number;
}

export async function extendHolds(db: Executor, worker: string, holds: Hold[], leaseMs: number): Promise<string[]> {
  if (holds.length === 0) return [];
  const rows = await db.execute<{ id: string }>(EXTEND_HOLDS, [...holdParameters(holds), worker, leaseMs]);
  return rows.map((row) => row.id);
}

export async function findLost(db: Executor, holds: Hold[]): Promise<string[]> {
  if (holds.length === 0) return [];
  const rows = await db.execute<{ id: string }>(FIND_LOST, holdParameters(holds));
  return rows.map((row) => row.id);
}

export async function releaseHolds(db: Executor, holds: Hold[]): Promise<void> {
  if (holds.length > 0) await db.execute(RELEASE_HOLDS, holdParameters(holds));
}

function holdParameters(holds: Hold[]): unknown[] {
  return [holds.map((hold) => hold.runId), holds.map((hold) => hold.fence)];
}

const HOLDS = `input as materialized (
  select i.* from unnest($1::uuid[], $2::int[]) as i(run, fence) order by i.run
)`;

/** A run's own pause or end has released it already: its fence stands, so it is not lost. */
const LOST = `select i.run as id from input i where not exists (select from runs r where r.id = i.run and r.fence = i.fence)`;

const EXTEND_HOLDS = `-- extend_holds
with ${HOLDS},
extended as (
  update runs r set held_until = now() + $4::int * interval '1 millisecond'
  from input i where r.id = i.run and r.fence = i.fence and r.owner = $3::text
)
${LOST}`;

const FIND_LOST = `-- find_lost
with ${HOLDS} ${LOST}`;

const RELEASE_HOLDS = `-- release_holds
with ${HOLDS}
update runs r set owner = null, held_until = null from input i where r.id = i.run and r.fence = i.fence`;

/** In place of a worker's name: a worker's holds its host and process. */
export const PARKED = 'parked';

export async function parkRun(db: Executor, hold: Hold & { forMs: number }): Promise<void> {
  await db.execute(PARK, [hold.runId, hold.fence, hold.forMs, PARKED]);
}

export async function unparkRuns(db: Executor): Promise<void> {
  await db.execute(UNPARK, [PARKED]);
}

const PARK = `-- park_run
update runs set owner = $4::text, held_until = now() + $3::bigint * interval '1 millisecond',
  deadline_at = deadline_at + $3::bigint * interval '1 millisecond'
where id = $1::uuid and fence = $2::int and status = 'GENERATING'`;

const UNPARK = `-- unpark_runs
update runs set owner = null, held_until = null, deadline_at = deadline_at - (held_until - now())
where status = 'GENERATING' and owner = $1::text and held_until > now()`;
