/** What the monkey did. */
export interface MonkeyCounts {
  postgresRestarts: number;
  redisKills: number;
  redisFlushes: number;
  /** How long Redis was away at most, milliseconds; BullMQ's drain delay is 5 s. */
  longestRedisMs: number;
  workerKills: number;
  workerFreezes: number;
  apiKills: number;
  /** APIs that stopped at a point of their own work. */
  apiPoints: number;
  /** Workers that stopped or froze at a point of their own work. */
  pointsSet: number;
  faults: number;
}
