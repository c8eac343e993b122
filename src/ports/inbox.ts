/** The inbox (D10): an authentic delivery is stored before it is acknowledged and marked done in the transaction of what it caused. */

export interface Delivery {
  /** `Idempotency-Key` or `webhook-id`; without one a hash of the body. */
  id: string;
  /** `X-Gitlab-Event`. */
  event: string;
  /** Deliveries of one item are worked on one at a time in order of arrival: `PROJECT_ID/IID`, or the project. */
  itemKey: string;
  /** Raw body as text. */
  body: string;
  /** What the event is by its content (`contentKeyOf`): the same event told by two hooks is stored once. Null or absent: only the id counts. */
  content?: string | null;
}

export interface StoredDelivery extends Delivery {
  seq: number;
  attempts: number;
  /**
   * How often it was taken before, in a row, without that any answer came: neither `done` nor `postpone` nor `fail`. With `MOST_UNANSWERED` it
   * is given up already, so that whatever ended the others cannot do so again.
   */
  unanswered: number;
}

export interface InboxStore {
  /**
   * Stores; a known id or content is answered `known`, but one that was given up is worked on again and answered `stored`. Inserts of one
   * moment are gathered. Throws `TransientFailure('store_unavailable')`.
   */
  put(delivery: Delivery): Promise<'stored' | 'known'>;
  /**
   * Takes the oldest open delivery of each item that nobody holds. Of those unanswered twice and more an owner has one at a time, so that what
   * ends its process is told from what was only beside it. One that is unanswered for the fifth time comes for the last time, given up.
   */
  take(input: { owner: string; limit: number; leaseMs: number }): Promise<StoredDelivery[]>;
  /** Holds deliveries that are being worked on for `leaseMs` from now; answers the ids that the owner still holds. */
  extend(input: { owner: string; ids: string[]; leaseMs: number }): Promise<string[]>;
  /** Done without an effect in the store (ignored), or already marked by its cause (then nothing happens). */
  done(id: string, result: string): Promise<void>;
  postpone(id: string, owner: string, retryInMs: number, error: string): Promise<void>;
  /** Given up on after too many attempts; kept with its error. */
  fail(id: string, owner: string, error: string): Promise<void>;
  nextDueInMs(): Promise<number | null>;
}
