import type { ModelUsageSum, UsageStore } from '../../ports/usage.ts';
import type { Executor } from './connect.ts';

export function createUsageStore(db: Executor): UsageStore {
  return {
    ofRun: async (runId) => (await db.execute<Row>(OF_RUN, [runId])).map(toSum),
    ofProject: async (projectId, since) => (await db.execute<Row>(OF_PROJECT, [projectId, since])).map(toSum),
  };
}

interface Row {
  model: string;
  input: number;
  output: number;
  cached: number;
  written: number;
  money: number;
  free_input: number;
  free_output: number;
  free_cached: number;
  free_written: number;
  ms: number;
}

function toSum(row: Row): ModelUsageSum {
  return {
    model: row.model,
    inputTokens: row.input,
    outputTokens: row.output,
    cachedTokens: row.cached,
    cacheWriteTokens: row.written,
    money: row.money,
    unpriced: {
      inputTokens: row.free_input,
      outputTokens: row.free_output,
      cachedTokens: row.free_cached,
      cacheWriteTokens: row.free_written,
    },
    ms: row.ms,
  };
}

const SUMS = `model, sum(input_tokens)::float8 as input, sum(output_tokens)::float8 as output,
  sum(cached_tokens)::float8 as cached, sum(cache_write_tokens)::float8 as written, coalesce(sum(money), 0)::float8 as money,
  coalesce(sum(input_tokens) filter (where money is null), 0)::float8 as free_input,
  coalesce(sum(output_tokens) filter (where money is null), 0)::float8 as free_output,
  coalesce(sum(cached_tokens) filter (where money is null), 0)::float8 as free_cached,
  coalesce(sum(cache_write_tokens) filter (where money is null), 0)::float8 as free_written,
  sum(ms)::float8 as ms`;

const OF_RUN = `-- usage_sums_of_run
select ${SUMS} from usage where run_id = $1::uuid group by model order by model`;

const OF_PROJECT = `-- usage_sums_of_project
select ${SUMS} from usage where project_id = $1::bigint and at >= $2::timestamptz group by model order by model`;
