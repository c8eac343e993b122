/** Which state of an item's plan is the newest, for polls that mostly find it unchanged. */
export interface ItemVersions {
  /**
   * Of the item's newest run, as it stands in the store when asked, whoever wrote it; null before the first run. Asked for one item by many
   * at a moment it is read once. Throws `TransientFailure('store_unavailable')`.
   */
  newest(itemGlobalId: number): Promise<ItemVersion | null>;
}

export interface ItemVersion {
  /** The run's id. */
  id: string;
  version: number;
}
