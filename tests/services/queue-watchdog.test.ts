import { type Processor, Worker, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBullConsumer } from '../../src/adapters/bullmq/consumer.ts';
import { createBullProducer } from '../../src/adapters/bullmq/producer.ts';
import { createMemoryLog } from '../helpers/fakes/log.ts';
import { startRedisProxy } from '../helpers/redis-proxy.ts';
import { testRedis } from '../helpers/servers.ts';

const CANARY_MS = 100;
const patient = { timeout: 20_000, interval: 20 };

/** A consumer of the runs queue; the first `dead` workers take no job, and say that they run. */
async function listening(dead: number) {
  const { url, prefix } = await testRedis();
  const log = createMemoryLog();
  const renewed: string[] = [];
  let made = 0;
  const newWorker = (name: string, processor: Processor, options: WorkerOptions): Worker => {
    made += 1;
    return new Worker(name, processor, { ...options, autorun: made > dead });
  };
  const consumer = createBullConsumer({
    url,
    prefix,
    log,
    canaryMs: CANARY_MS,
    renewed: (queue) => void renewed.push(queue),
    newWorker,
  });
  const producer = createBullProducer({ url, prefix, log });
  const jobs: string[] = [];
  const listener = await consumer.onRuns(async (runIds) => void jobs.push(...runIds));
  onTestFinished(async () => {
    await Promise.all([listener.close(), producer.close()]);
  });
  return { consumer, producer, jobs, renewed, log, url, prefix, made: () => made };
}

test('canaries come back: the process is ready, and handlers never see them', async () => {
  const { consumer, jobs, renewed } = await listening(0);

  await vi.waitFor(() => expect(consumer.health()).toMatchObject([{ queue: 'runs', ready: true }]), patient);

  expect([jobs, renewed]).toEqual([[], []]);
});

test('a worker that is dead without a word is made anew, and its jobs are done', async () => {
  const { consumer, producer, jobs, renewed, log } = await listening(1);
  await producer.wakeRuns(['run-1']);
  expect(consumer.health()).toMatchObject([{ ready: false }]);

  await vi.waitFor(() => expect(jobs).toEqual(['run-1']), patient);

  expect(renewed).toEqual(['runs']);
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', data: expect.objectContaining({ queue: 'runs' }) }),
  );
  await vi.waitFor(() => expect(consumer.health()).toMatchObject([{ ready: true }]), patient);
});

test('one that is dead again is made anew again', async () => {
  const { jobs, producer, made } = await listening(2);
  await producer.wakeRuns(['run-1']);

  await vi.waitFor(() => expect(jobs).toEqual(['run-1']), patient);

  expect(made()).toBe(3);
});

test('one whose handlers are all at work is not dead', async () => {
  const { url, prefix } = await testRedis();
  const log = createMemoryLog();
  const renewed: string[] = [];
  const settings = { url, prefix, log, canaryMs: CANARY_MS, renewed: (queue: string) => void renewed.push(queue) };
  const consumer = createBullConsumer(settings);
  const producer = createBullProducer({ url, prefix, log });
  const hold = Promise.withResolvers<void>();
  let handled = 0;
  const listener = await consumer.onDeliveries(async () => {
    handled += 1;
    await hold.promise;
  });
  await producer.wakeDeliveries();
  await vi.waitFor(() => expect(handled).toBe(1), patient);
  const direct = new Redis(url);

  // Six canaries wait: twice as many as a dead worker would be given.
  await vi.waitFor(async () => expect(await direct.llen(`${prefix}:deliveries:wait`)).toBeGreaterThan(6), patient);

  expect(renewed).toEqual([]);
  expect(consumer.health()).toMatchObject([{ queue: 'deliveries', ready: true }]);
  hold.resolve();
  direct.disconnect();
  await Promise.all([listener.close(), producer.close()]);
});

test('after an outage longer than the drain delay the queue is listened to again', async () => {
  const { url, prefix } = await testRedis();
  const proxy = await startRedisProxy(url);
  const log = createMemoryLog();
  const settings = { url: proxy.url, prefix, log, canaryMs: CANARY_MS };
  const consumer = createBullConsumer(settings);
  const producer = createBullProducer(settings);
  const jobs: string[] = [];
  const listener = await consumer.onRuns(async (runIds) => void jobs.push(...runIds));
  const isReady = (ready: boolean) =>
    vi.waitFor(() => expect(consumer.health()).toMatchObject([{ ready }]), { ...patient, timeout: 30_000 });
  await isReady(true);

  await proxy.cut();
  await isReady(false);
  // The outage itself: longer than the 5 s for which a worker waits on an empty queue.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  await proxy.restore();

  await isReady(true);
  await producer.wakeRuns(['run-1']);
  await vi.waitFor(() => expect(jobs).toEqual(['run-1']), patient);
  await Promise.all([listener.close(), producer.close()]);
  await proxy.close();
});
