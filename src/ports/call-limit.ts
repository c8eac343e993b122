/**
 * What all processes know together about the limits of a service that they call with one token (design: How a run moves). The gate's
 * numbers are hints that keep the service from refusing; whoever cannot reach it goes by what the process knows itself.
 */
export interface CallLimit {
  /** Asks for a place to make a call. Throws `TransientFailure` when the gate cannot be reached. */
  enter(input: EnterCall): Promise<CallGate>;
  /** Gives a place back; one that is not given back lapses after its `holdMs`. */
  leave(held: Pick<EnterCall, 'limit' | 'owner' | 'place'>): Promise<void>;
  /** Keeps every process from calling for a while. */
  pause(input: PauseCalls): Promise<void>;
  /** A call of this kind went well: the next refusal without a time waits as short as the first. */
  calm(limit: string, kind: string): Promise<void>;
  /** What the service said is left until its count begins anew. */
  budget(input: CallBudget): Promise<void>;
}

export interface EnterCall {
  /** Names the service and token; holds no secret. */
  limit: string;
  /** Of the process, without blanks: while several wait, none gets more than its share. */
  owner: string;
  /** A name nobody else uses. */
  place: string;
  /** A limit of a single feature pauses calls of its kind only. */
  kind: string;
  /** A person waits: before everything that waits in the background. */
  urgent: boolean;
  /** How long the place is kept at most, milliseconds. */
  holdMs: number;
  /** Places there are for all processes. */
  places: number;
  /** How long after this an owner that waits is counted as waiting, milliseconds; it asks again before. */
  waitsMs: number;
}

/** `paused`: nothing of this kind and urgency for so long. `full`: no place for this owner now; ask again soon. */
export type CallGate = { kind: 'entered' } | { kind: 'paused'; ms: number } | { kind: 'full' };

export interface PauseCalls {
  limit: string;
  /** Null: calls of every kind. */
  kind: string | null;
  /** The kind that was refused. */
  refused: string;
  /** Null: the service named no time; `firstMs` then, doubled with each refusal in a row, at most `maxMs`. */
  ms: number | null;
  firstMs: number;
  maxMs: number;
  /** 1 and more: all pauses are longer by it, so that not all who wait come at the same moment. */
  stretch: number;
}

export interface CallBudget {
  limit: string;
  remaining: number;
  /** Milliseconds until the count begins anew. */
  resetMs: number;
  /** So much of it is left to urgent calls. */
  reserve: number;
}
