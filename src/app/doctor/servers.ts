/** What the service stands on: PostgreSQL, Redis, workers, disk. */
import type { WorkerSign } from '../../ports/upkeep.ts';
import { type Finding, failure, info, ok, warning } from './finding.ts';
import { clockOff } from './gitlab.ts';

export interface DatabaseFacts {
  /** As the server says it, e.g. `15.4`. */
  version: string;
  /** Its clock, ISO 8601. */
  clock: string;
  fsync: boolean;
  pending: string[];
}

const OLDEST_POSTGRES = 15;

/** `atMs`: this machine's clock when it was asked. */
export function databaseFindings(facts: DatabaseFacts, atMs: number): Finding[] {
  const findings: Finding[] = [];
  const major = Number.parseInt(facts.version, 10);
  findings.push(
    major >= OLDEST_POSTGRES
      ? ok('postgres', `PostgreSQL ${facts.version} answers.`)
      : failure('postgres', `PostgreSQL ${facts.version} is too old.`, `give PostgreSQL ${OLDEST_POSTGRES} or newer`),
  );
  if (!facts.fsync)
    findings.push(warning('postgres', 'fsync is off: a crash of the machine may lose runs.', 'turn fsync on'));
  findings.push(
    facts.pending.length === 0
      ? ok('migrations', 'All migrations are applied.')
      : failure('migrations', `Not applied: ${facts.pending.join(', ')}.`, 'run planwright migrate'),
  );
  return [...findings, ...clockOff('clock', 'PostgreSQL', Math.abs(Date.parse(facts.clock) - atMs))];
}

export interface RedisFacts {
  /** Null: the server does not say. */
  version: string | null;
  findings: { level: 'warn' | 'info'; code: string; message: string }[];
}

const OLDEST_REDIS = 7;

export function redisFindings({ version, findings }: RedisFacts): Finding[] {
  const unreachable = findings.find((finding) => finding.code === 'redis_unreachable');
  if (unreachable) return [failure('redis', unreachable.message, 'see REDIS_URL, and that the server runs')];
  const found: Finding[] = [];
  if (version === null) found.push(info('redis', 'Redis answers, but does not tell its version.'));
  else if (Number.parseInt(version, 10) < OLDEST_REDIS)
    found.push(warning('redis', `Redis ${version} is old.`, `give Redis ${OLDEST_REDIS} or newer, or Valkey`));
  else found.push(ok('redis', `Redis ${version} answers.`));
  for (const { level, message } of findings)
    found.push(
      level === 'info'
        ? info('redis_settings', message)
        : warning('redis_settings', message, 'set maxmemory-policy noeviction, or give the service a Redis of its own'),
    );
  return found;
}

/** Parts that some worker must run. */
const PARTS = ['runs', 'deliveries', 'maintenance'] as const;

/** `workers`: those that gave a sign within the last minute. */
export function workerFindings(workers: readonly WorkerSign[]): Finding[] {
  const start = 'start planwright worker';
  if (workers.length === 0) return [failure('workers', 'No worker gave a sign of life within the last minute.', start)];
  const findings: Finding[] = [];
  for (const { owner, ready, detail } of workers)
    if (!ready)
      findings.push(failure('workers', `${owner} gets no jobs: ${detail}.`, 'see that it reaches Redis; restart it'));
  const idle = PARTS.filter((part) => !workers.some((worker) => worker.ready && worker.parts.includes(part)));
  if (idle.length > 0 && findings.length === 0)
    findings.push(failure('workers', `Nobody works on: ${idle.join(', ')}.`, `${start} --queues ${idle.join(',')}`));
  if (findings.length > 0) return findings;
  return [ok('workers', `${workers.length} at work; canaries came through every queue.`)];
}

/** Null: snapshots are kept in memory. */
export interface DiskFacts {
  folder: string;
  writable: boolean;
  freeBytes: number | null;
}

const GIB = 1024 ** 3;

export function diskFindings(facts: DiskFacts | null): Finding[] {
  if (facts === null) return [info('snapshots', 'SNAPSHOT_DIR is not set: each process indexes a repository anew.')];
  const { folder, writable, freeBytes } = facts;
  if (!writable)
    return [failure('snapshots', `${folder} cannot be written to.`, 'see SNAPSHOT_DIR and its permissions')];
  if (freeBytes === null) return [ok('snapshots', `${folder} can be written to.`)];
  const free = `${(freeBytes / GIB).toFixed(1)} GiB are free in ${folder}`;
  if (freeBytes < GIB / 2) return [failure('snapshots', `${free}.`, 'make room, or set SNAPSHOT_DIR elsewhere')];
  if (freeBytes < 5 * GIB)
    return [warning('snapshots', `${free}; up to 4 GiB are used.`, 'make room, or set SNAPSHOT_DIR elsewhere')];
  return [ok('snapshots', `${free}.`)];
}
