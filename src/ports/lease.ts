/** The exclusive lease of a work item (spec 2: One flow an item). An efficiency lock: PostgreSQL holds the truth. */
export interface Lease {
  key: string;
  /** Random owner token; compared before it is extended or deleted. */
  token: string;
}

export interface LeasePort {
  /** The lease that `token` owns, for a worker that was handed the token in the run's row; nothing is asked. */
  handedOn(itemGlobalId: number, token: string): Lease;
  /** Takes `lease:{itemGlobalId}`; `held` when somebody else has it; `unavailable` when the lease store cannot be reached. */
  acquire(
    itemGlobalId: number,
    ttlMs: number,
  ): Promise<{ kind: 'acquired'; lease: Lease } | { kind: 'held' } | { kind: 'unavailable' }>;
  /** Extends all leases whose token still stands; returns the keys that were lost. Never throws. */
  renew(leases: Lease[], ttlMs: number): Promise<string[]>;
  /** Deletes the lease if the token still stands. Never throws. */
  release(lease: Lease): Promise<void>;
}
