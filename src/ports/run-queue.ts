/** Wake-ups (design: How a run moves): a lost one costs a sweep, nothing else. The database is the truth. */
export interface RunQueue {
  /** Asks some worker to advance these runs soon. Never throws and never waits over 500 ms: a failure is logged. */
  wakeRuns(runIds: string[]): Promise<void>;
  /** Tells the deliveries worker that the inbox or outbox has something. Same guarantees. */
  wakeDeliveries(): Promise<void>;
}

/** The consuming side, in worker processes. */
export interface RunQueueConsumer {
  /** Calls `handle` with run ids as they come; `handle` returns as soon as it has taken the runs over. */
  onRuns(handle: (runIds: string[]) => Promise<void>): Promise<{ close(): Promise<void> }>;
  onDeliveries(handle: () => Promise<void>): Promise<{ close(): Promise<void> }>;
  /** How the queues that are listened to are doing. */
  health(): QueueHealth[];
}

export interface QueueHealth {
  queue: string;
  /** A job, if only a canary, came through lately. */
  ready: boolean;
  /** Milliseconds since this process last worked on one of its jobs, or since it began to listen. */
  silentMs: number;
}
