/** The processes of the service over one infrastructure: API, runs, deliveries, maintenance (design: Commands). */

import { workInbox } from '../app/delivery/inbox.ts';
import { deliverOutbox } from '../app/delivery/outbox.ts';
import { createPerformer } from '../app/effects/perform.ts';
import { type Loop, startLoop } from '../app/loop.ts';
import { createRunner } from '../app/runner/runner.ts';
import { sweep } from '../app/sweep.ts';
import { buildApp } from '../http/app.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface Running {
  stop(): Promise<void>;
}

/** Rows and deliveries that a deliverer holds at once. */
const AT_ONCE = 20;
/** Longest time between two looks without a wake-up. */
const LOOK_MS = 2000;
/** How soon a cancelled run is noticed: a model call in flight is aborted within 2 s (spec 2). */
const WATCH_MS = 1000;
const REQUESTS_PER_MINUTE = 600;

export async function startApi(infra: Infrastructure): Promise<Running & { url: string }> {
  const { config, act, inbox, outbox, db, metrics } = infra;
  const app = await buildApp({
    ...act,
    inbox,
    outbox,
    metrics,
    secrets: { token: config.webhookToken, signingToken: config.webhookSigningToken },
    allowedBots: config.allowedBots,
    publicUrl: config.publicUrl,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    async ready() {
      const pending = await db.pendingMigrations();
      if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
    },
  });
  const url = await app.listen({ host: config.host, port: config.port });
  return { url, stop: () => app.close() };
}

/** Advances runs: woken by the queue, and at its start by looking for what nobody advances. */
export async function startRuns(infra: Infrastructure): Promise<Running> {
  const { config, act, consumer, log, owner, model, repository, outbox } = infra;
  const perform = createPerformer({
    gitlab: act.gitlab,
    repository,
    outbox,
    model,
    clock: act.clock,
    log,
    allowedBots: config.allowedBots,
    limits: { agentSteps: config.agentMaxSteps, agentTimeoutMs: config.agentTimeoutMs },
  });
  const runner = createRunner({
    store: act.store,
    lease: act.lease,
    perform,
    pieceOf: act.pieceOf,
    clock: act.clock,
    log,
    onOutbox: () => void act.queue.wakeDeliveries(),
    settings: {
      worker: owner,
      maxRuns: config.runConcurrency,
      holdMs: config.takeoverMs,
      heartbeatMs: config.heartbeatMs,
      watchMs: WATCH_MS,
    },
  });
  runner.start();
  const queue = await consumer.onRuns((runIds) => runner.take(runIds));
  await runner.take(await act.store.findAbandoned(config.runConcurrency));
  return {
    async stop() {
      await Promise.all([queue.close(), runner.stop()]);
    },
  };
}

/** Works on the inbox and delivers the outbox. */
export async function startDeliveries(infra: Infrastructure): Promise<Running> {
  const { config, act, consumer, log, owner, inbox, outbox } = infra;
  const shared = { owner, limit: AT_ONCE, holdMs: config.deliveryHoldMs };
  const { clock, gitlab } = act;
  const inboxDeps = { ...act, ...shared, inbox, outbox, allowedBots: config.allowedBots };
  const loops: Loop[] = [
    startLoop({
      name: 'inbox',
      idleMs: LOOK_MS,
      clock,
      log,
      work: (signal) => workInbox(inboxDeps, signal),
      nextInMs: () => inbox.nextDueInMs(),
    }),
    startLoop({
      name: 'outbox',
      idleMs: LOOK_MS,
      clock,
      log,
      work: (signal) => deliverOutbox({ ...shared, outbox, gitlab, clock, log }, signal),
      nextInMs: () => outbox.nextDueInMs(),
    }),
  ];
  const queue = await consumer.onDeliveries(async () => {
    for (const loop of loops) loop.wake();
  });
  return {
    async stop() {
      await Promise.all([queue.close(), ...loops.map((loop) => loop.stop())]);
    },
  };
}

/** Sweeps: abandoned runs, deadlines. */
export async function startMaintenance(infra: Infrastructure): Promise<Running> {
  const { store, queue, clock } = infra.act;
  const { log } = infra;
  return startLoop({
    name: 'sweeper',
    idleMs: infra.config.sweepMs,
    clock,
    log,
    work: () => sweep({ store, queue, clock, log }),
  });
}
