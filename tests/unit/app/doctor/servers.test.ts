import { describe, expect, test } from 'vitest';
import { modelFindings, type VendorAnswer } from '../../../../src/app/doctor/model.ts';
import {
  type DatabaseFacts,
  databaseFindings,
  diskFindings,
  redisFindings,
  workerFindings,
} from '../../../../src/app/doctor/servers.ts';
import { NOW } from './setup.ts';

const levels = (findings: { check: string; level: string }[]) =>
  findings.map(({ check, level }) => `${check} ${level}`);

describe('PostgreSQL', () => {
  const facts: DatabaseFacts = { version: '15.4', clock: NOW.toISOString(), fsync: true, pending: [] };
  const look = (change: Partial<DatabaseFacts>) => levels(databaseFindings({ ...facts, ...change }, NOW.getTime()));

  test.each<[Partial<DatabaseFacts>, string]>([
    [{}, 'postgres ok'],
    [{ version: '14.9' }, 'postgres failure'],
    [{ fsync: false }, 'postgres warning'],
    [{}, 'migrations ok'],
    [{ pending: ['0007_turns'] }, 'migrations failure'],
    [{ clock: '2026-03-01T12:01:00.000Z' }, 'clock warning'],
    [{ clock: '2026-03-01T12:10:00.000Z' }, 'clock failure'],
  ])('%j: %s', (change, found) => {
    expect(look(change)).toContain(found);
  });
});

describe('Redis', () => {
  test.each([
    [{ version: '7.2.4', findings: [] }, ['redis ok']],
    [{ version: '6.2.0', findings: [] }, ['redis warning']],
    [{ version: null, findings: [] }, ['redis info']],
    [
      { version: '7.2.4', findings: [{ level: 'warn' as const, code: 'redis_evicts', message: 'evicts' }] },
      ['redis ok', 'redis_settings warning'],
    ],
    [
      { version: '7.2.4', findings: [{ level: 'info' as const, code: 'redis_not_durable', message: 'off' }] },
      ['redis ok', 'redis_settings info'],
    ],
    [
      { version: null, findings: [{ level: 'warn' as const, code: 'redis_unreachable', message: 'away' }] },
      ['redis failure'],
    ],
  ])('%j', (facts, found) => {
    expect(levels(redisFindings(facts))).toEqual(found);
  });
});

describe('workers', () => {
  const worker = (parts: string[], ready = true) => ({
    owner: 'w',
    parts,
    ready,
    detail: ready ? '' : 'the queue runs is silent',
  });

  test.each([
    ['none', [], 'failure', 'No worker'],
    [
      'one that gets no jobs',
      [worker(['runs', 'deliveries', 'maintenance'], false)],
      'failure',
      'the queue runs is silent',
    ],
    ['a part that nobody runs', [worker(['runs']), worker(['maintenance'])], 'failure', 'deliveries'],
    ['all parts', [worker(['runs', 'deliveries']), worker(['maintenance'])], 'ok', '2 at work'],
  ])('%s', (_what, workers, level, message) => {
    expect(workerFindings(workers)).toMatchObject([{ level, message: expect.stringContaining(message) }]);
  });
});

describe('the disk', () => {
  const GIB = 1024 ** 3;
  test.each([
    [null, 'info'],
    [{ folder: '/s', writable: false, freeBytes: null }, 'failure'],
    [{ folder: '/s', writable: true, freeBytes: 0.1 * GIB }, 'failure'],
    [{ folder: '/s', writable: true, freeBytes: 2 * GIB }, 'warning'],
    [{ folder: '/s', writable: true, freeBytes: 20 * GIB }, 'ok'],
    [{ folder: '/s', writable: true, freeBytes: null }, 'ok'],
  ])('%j: %s', (facts, level) => {
    expect(diskFindings(facts)).toMatchObject([{ level }]);
  });
});

describe('the model', () => {
  const answer: VendorAnswer = { kind: 'openai', status: 200, reason: '', models: ['large-1'], used: ['large-1'] };

  test('without a vendor there is nothing to reach', () => {
    expect(levels(modelFindings('offline (rule-based)', []))).toEqual(['model info']);
  });

  test.each<[Partial<VendorAnswer>, string]>([
    [{}, 'model_reach ok'],
    [{ status: null, reason: 'getaddrinfo ENOTFOUND' }, 'model_reach failure'],
    [{ status: 401, models: null }, 'model_reach failure'],
    [{ status: 404, models: null }, 'model_reach info'],
    [{ used: ['large-2'] }, 'model_reach warning'],
  ])('%j: %s', (change, found) => {
    expect(levels(modelFindings('openai:large-1', [{ ...answer, ...change }]))).toContain(found);
  });
});
