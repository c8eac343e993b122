/** Deliveries and notes that were given up, for an operator who looks for the cause or has removed it. */
export interface GivenUpStore {
  /** Newest first. */
  list(limit: number): Promise<GivenUpDelivery[]>;
  /** Newest first, those that stand on their item by now left out. */
  notes(limit: number): Promise<GivenUpNote[]>;
  /** Opens these deliveries again, or all of them, as if they had just come; answers how many. */
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

export interface GivenUpNote {
  id: number;
  /** `plan`, `question`, … */
  kind: string;
  runId: string | null;
  itemGlobalId: number;
  /** As people write it; null: the note is of no run. */
  item: string | null;
  givenUpAt: string;
  attempts: number;
  error: string;
}
