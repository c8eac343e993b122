/** The rate breaker (spec 2: Actions): how often one person may act on one item, over all processes. */

export interface BreakerVerdict {
  /** False: the person acted on the item too often in the last minute, and this action is not done. */
  allowed: boolean;
  /** With `allowed` false: whether the person is to be told at this action; once a minute, not at each. */
  tell: boolean;
}

export interface RateBreaker {
  /**
   * Counts an action before it is done. The same `key` counts once, and is answered the same again: a delivery may come, or be tried, twice.
   * @throws TransientFailure `store_unavailable`
   */
  hit(action: { itemGlobalId: number; personId: number; key: string; limit: number }): Promise<BreakerVerdict>;
}
