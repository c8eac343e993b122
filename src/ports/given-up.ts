/** Deliveries that were given up, for an operator who has removed the cause. */
export interface GivenUpStore {
  /** Newest first. */
  list(limit: number): Promise<GivenUpDelivery[]>;
  /** Opens these again, or all of them, as if they had just come; answers how many. */
  reopen(ids: readonly string[] | 'all'): Promise<number>;
}

export interface GivenUpDelivery {
  id: string;
  event: string;
  /** `PROJECT_ID/IID`, or the project. */
  itemKey: string;
  receivedAt: string;
  givenUpAt: string | null;
  attempts: number;
  error: string;
}
