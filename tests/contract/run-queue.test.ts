import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBullConsumer } from '../../src/adapters/bullmq/consumer.ts';
import { createBullProducer } from '../../src/adapters/bullmq/producer.ts';
import type { RunQueue, RunQueueConsumer } from '../../src/ports/run-queue.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';
import { createMemoryQueue } from '../helpers/fakes/queue.ts';
import { testRedis } from '../helpers/servers.ts';

interface Harness {
  queue: RunQueue;
  consumer: RunQueueConsumer;
  /** How many handlers failed. */
  failures(): number;
  close(): Promise<void>;
}

async function memoryHarness(): Promise<Harness> {
  const queue = createMemoryQueue();
  return { queue, consumer: queue, failures: () => queue.failures.length, close: async () => undefined };
}

async function bullHarness(): Promise<Harness> {
  const { url, prefix } = await testRedis();
  const log = createMemoryLog();
  const queue = createBullProducer({ url, prefix, log });
  const consumer = createBullConsumer({ url, prefix, log });
  const failures = () => log.lines.filter((line) => line.message === 'wake-up failed').length;
  return { queue, consumer, failures, close: () => queue.close() };
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `run-${index}`);
}

describe.each([
  ['memory', memoryHarness],
  ['BullMQ', bullHarness],
])('the queue in %s', (_name, open) => {
  let harness: Harness;
  const listeners: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    harness = await open();
  });
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
    await harness.close();
  });

  async function listen(handle: (runIds: string[]) => Promise<void>): Promise<{ close(): Promise<void> }> {
    const listener = await harness.consumer.onRuns(handle);
    listeners.push(listener);
    return listener;
  }

  async function collect(): Promise<string[][]> {
    const jobs: string[][] = [];
    await listen(async (runIds) => void jobs.push(runIds));
    return jobs;
  }

  test('a wake reaches who listens', async () => {
    const jobs = await collect();

    await harness.queue.wakeRuns(['run-1']);

    await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));
  });

  test('a wake before anybody listens is kept', async () => {
    await harness.queue.wakeRuns(['run-1']);

    const jobs = await collect();

    await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));
  });

  test('a job carries at most 32 runs, and each run comes once', async () => {
    const jobs = await collect();

    await harness.queue.wakeRuns([...ids(70), 'run-3']);

    await vi.waitFor(() => expect(jobs.flat().sort()).toEqual(ids(70).sort()));
    expect(jobs.map((job) => job.length).sort()).toEqual([32, 32, 6]);
  });

  test('wakes of a moment come together', async () => {
    const jobs = await collect();

    await Promise.all(ids(20).map((id) => harness.queue.wakeRuns([id, 'run-0'])));

    await vi.waitFor(() => expect(jobs.flat().sort()).toEqual(ids(20).sort()));
    expect(jobs).toHaveLength(1);
  });

  test('waking nobody does nothing', async () => {
    const jobs = await collect();

    await harness.queue.wakeRuns([]);
    await harness.queue.wakeRuns(['run-1']);

    await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));
  });

  test('a handler that fails is not asked again and does not stop the next', async () => {
    const handled: string[] = [];
    await listen(async (runIds) => {
      handled.push(...runIds);
      if (runIds.includes('run-1')) throw new Error('no place');
    });

    await harness.queue.wakeRuns(['run-1']);
    await vi.waitFor(() => expect(harness.failures()).toBe(1));
    await harness.queue.wakeRuns(['run-2']);

    await vi.waitFor(() => expect(handled).toEqual(['run-1', 'run-2']));
  });

  test('closing waits for the handler at work', async () => {
    const order: string[] = [];
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const listener = await listen(async () => {
      begun.resolve();
      await release.promise;
      order.push('handled');
    });
    await harness.queue.wakeRuns(['run-1']);
    await begun.promise;

    const closed = listener.close().then(() => order.push('closed'));
    release.resolve();
    await closed;

    expect(order).toEqual(['handled', 'closed']);
  });

  test('after closing the next one to listen gets what comes', async () => {
    const early: string[][] = [];
    const listener = await listen(async (runIds) => void early.push(runIds));
    await listener.close();

    await harness.queue.wakeRuns(['run-1']);
    const jobs = await collect();

    await vi.waitFor(() => expect(jobs).toEqual([['run-1']]));
    expect(early).toEqual([]);
  });

  test('deliveries are woken apart from runs', async () => {
    const jobs = await collect();
    let woken = 0;
    listeners.push(
      await harness.consumer.onDeliveries(async () => {
        woken += 1;
      }),
    );

    await harness.queue.wakeDeliveries();

    await vi.waitFor(() => expect(woken).toBe(1));
    expect(jobs).toEqual([]);
  });
});
