/** Runs whose worker was lost, counted so that one which ends every worker does not do so for ever. */
export interface TakeoverStore {
  /**
   * Notes that the holder of each of these runs was lost, where it was: its hold has lapsed. A hold counts once, however often and by whoever
   * it is noted; a hold that was given back does not count.
   */
  note(runIds: string[]): Promise<Takeovers>;
}

export interface Takeovers {
  /** Of these runs, those whose holders were lost since their last event. */
  lost: LostRun[];
  /** Some run that has lost `SUSPECT_AT` holders or more since its last event is held by a worker now. */
  suspectHeld: boolean;
}

export interface LostRun {
  runId: string;
  /** Sequence of its last event. */
  seq: number;
  /** Holders lost in a row, none of whom appended anything. */
  count: number;
}

/** So many lost holders, and a run is advanced without others like it: one of them may be what ends the workers. */
export const SUSPECT_AT = 3;
