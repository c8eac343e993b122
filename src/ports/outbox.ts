/**
 * The outbox (D11): what people see of a state change, written in the transaction of the event, delivered by its own worker in order for
 * an item. Delivery is at-least-once; the marker makes it exactly once on the item.
 */

export type OutboxKind =
  | 'status'
  | 'question'
  | 'gate'
  | 'approval'
  | 'reminder'
  | 'plan'
  | 'end'
  | 'cancel'
  | 'reply'
  /** The status note once more, because something is to be told in it; without a run a note of the item's own. */
  | 'notice'
  /** A label that asked for something is taken away; `body` is its name, the marker names the label event that was acted on. */
  | 'unlabel';

/** A row to be written. The body is final text (already cleaned), its marker inside. */
export interface OutboxRow {
  kind: OutboxKind;
  itemGlobalId: number;
  projectId: number;
  iid: number;
  /** Null for a reply that belongs to no run (a refusal). */
  runId: string | null;
  /** Rows of a pause that is over are dropped instead of delivered. */
  pauseId: string | null;
  /** Unique on the item, e.g. `run=ID;kind=question;q=scope`; searched for before and after posting. */
  marker: string;
  body: string;
  /** What is posted in place of the body, marker inside, where more people read the item than the code; absent: the body in any case. */
  kept?: string | null;
  /** Post as a resolvable discussion (questions). */
  discussion: boolean;
  /** Answer in this discussion instead (refusals). */
  replyTo: string | null;
  /** Address of the item's page, as it was when the row was written. */
  itemUrl: string;
  /** Of a question: its id. */
  questionId: string | null;
  /** The status label that the item carries from here on; null or absent: nothing changes. */
  label?: string | null;
}

/** Something told in the status note, or, without a run, in the item's note for it. */
export interface OutboxNotice {
  itemGlobalId: number;
  runId: string | null;
  /** Of the action: told once. */
  key: string;
  /** One line of Markdown, final. */
  text: string;
}

export interface StoredOutboxRow extends OutboxRow {
  id: number;
  attempts: number;
  /**
   * How often it was taken before, in a row, without that any answer came: neither `delivered` nor `postpone` nor `fail`. With
   * `MOST_UNANSWERED` it is given up already, so that whatever ended the others cannot do so again.
   */
  unanswered: number;
  /** The note that was delivered under this marker before: it is edited in place. */
  known: { noteId: number; discussionId: string | null } | null;
  /** With `kept`: whether the item was confidential when the run began; then what it says may come from what only few may read. */
  wasConfidential?: boolean;
  /** Of `status`, `cancel` and `notice`: the newest lines to be told in it, oldest first; absent: none. */
  notices?: string[];
}

/** A note of ours on the item, once delivered. */
export interface DeliveredNote {
  runId: string | null;
  marker: string;
  kind: OutboxKind;
  pauseId: string | null;
  questionId: string | null;
  noteId: number;
  discussionId: string | null;
  url: string;
}

export interface OutboxStore {
  /**
   * Adds rows outside a run's transaction (a refusal); `cause.deliveryId` is marked done with it. A known marker, or an action that was
   * done before: nothing happens. `notices` are kept for the notes of `status`, `cancel` and `notice` rows.
   */
  add(
    rows: OutboxRow[],
    cause: { actionKey: string | null; deliveryId: string | null },
    notices?: OutboxNotice[],
  ): Promise<void>;
  /**
   * Takes the oldest due row of each item that no other deliverer holds, at most `limit`, held for `leaseMs`. The order is the item's,
   * whichever runs its rows belong to: what is said of a new run comes after all that is said of the one before, and a row that waits for
   * its retry holds back the later ones, until it is delivered or failed for good. Before it answers, it drops
   * question/gate/approval/reminder rows of a pause that is over and status rows that a newer one of the same run replaces (one with a
   * label only by one with a label), and notice rows that any newer one of the same note replaces; `plan`, `end` and `cancel` rows always stay.
   * Of rows unanswered `SUSPECT` times and more an owner has one at a time; one that is unanswered for the `MOST_UNANSWERED`th time comes
   * for the last time, given up as by `fail`.
   */
  take(input: { owner: string; limit: number; leaseMs: number }): Promise<StoredOutboxRow[]>;
  /**
   * Holds rows that are being worked on for `leaseMs` from now, so that a slow delivery is not taken for a dead one; answers the ids that the
   * owner still holds.
   */
  extend(input: { owner: string; ids: number[]; leaseMs: number }): Promise<number[]>;
  /** Delivered: the row goes, the note is kept, the run's version rises. `superseded` rows call this with null. */
  delivered(id: number, owner: string, note: DeliveredNote | null): Promise<void>;
  /** Not now: again after `retryInMs`. */
  postpone(id: number, owner: string, retryInMs: number, error: string): Promise<void>;
  /** Never: kept aside with its error, the run shows `delivery_failed` (D11), later rows of the item go on. */
  fail(id: number, owner: string, error: string): Promise<void>;
  /** Is the row still needed: its pause open, its run not cancelled? Asked again after a post. True for rows without a run. */
  stillWanted(id: number): Promise<boolean>;
  /** Does a row with this marker wait, or go out just now? */
  isWaiting(itemGlobalId: number, marker: string): Promise<boolean>;
  /** Milliseconds until the next row is due; null when there is none. */
  nextDueInMs(): Promise<number | null>;
  notesOfRun(runId: string): Promise<DeliveredNote[]>;
  /** Our question notes on an item, of all its runs, the lowest id first. */
  questionNotes(itemGlobalId: number): Promise<DeliveredNote[]>;
  /** Our note by its GitLab id, to find the run that a reaction means. */
  noteById(itemGlobalId: number, noteId: number): Promise<DeliveredNote | null>;
  /** Our note by its discussion, to find run and question from a reply. */
  noteByDiscussion(itemGlobalId: number, discussionId: string): Promise<DeliveredNote | null>;
  /** Deliveries of a run that failed for good, but those whose note (by its marker) was delivered later. */
  failures(runId: string): Promise<{ marker: string; kind: OutboxKind; error: string }[]>;
}
