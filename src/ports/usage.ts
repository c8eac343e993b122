/** What model calls have used, as the store of runs wrote it with their outcomes (D7). Failures: `TransientFailure('store_unavailable')`. */

/** Of one model. */
export interface ModelUsageSum {
  /** `PROVIDER:MODEL` as it was stored. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  /** Of the calls whose price was known then. */
  money: number;
  /** Tokens of the calls whose price was not known. */
  unpriced: { inputTokens: number; outputTokens: number; cachedTokens: number; cacheWriteTokens: number };
  ms: number;
}

export interface UsageStore {
  ofRun(runId: string): Promise<ModelUsageSum[]>;
  /** Of all runs of a project since then, ISO 8601. */
  ofProject(projectId: number, since: string): Promise<ModelUsageSum[]>;
}
