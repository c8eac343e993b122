/** The processes of the service over one infrastructure: API, runs, deliveries, maintenance (design: Commands). */

import { abandonedRuns } from '../app/abandoned.ts';
import { createBudgets } from '../app/budget/keeper.ts';
import { readBudget } from '../app/budget/status.ts';
import { createAudience } from '../app/delivery/audience.ts';
import { workInbox } from '../app/delivery/inbox.ts';
import { deliverOutbox, OUTBOX_PACE_MS } from '../app/delivery/outbox.ts';
import { clearingOnce } from '../app/delivery/outbox-labels.ts';
import { statusNoteOf } from '../app/delivery/status-note.ts';
import { createPerformer } from '../app/effects/perform.ts';
import { type Loop, startLoop, within } from '../app/loop.ts';
import { rememberMembers } from '../app/members.ts';
import { READS_WAIT_MS } from '../app/runner/advance.ts';
import { createRunner } from '../app/runner/runner.ts';
import { warningsOf } from '../app/warnings.ts';
import { buildApp } from '../http/app.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface Running {
  /** Takes nothing more; what is at work may go on for `graceMs` (default 0), then it is aborted. Everything stays resumable. */
  stop(graceMs?: number): Promise<void>;
}

/** Rows and deliveries that a deliverer holds at once. */
const AT_ONCE = 20;
/** Longest time between two looks without a wake-up. */
const LOOK_MS = 2000;
/** How soon a cancelled run is noticed: a model call in flight is aborted within 2 s (spec 2). */
const WATCH_MS = 1000;

export async function startApi(infra: Infrastructure): Promise<Running & { url: string }> {
  const { config, actNow: act, inbox, outbox, db, metrics, model, turns, usage, warnings, versions, watch } = infra;
  const app = await buildApp({
    ...act,
    inbox,
    outbox,
    turns,
    versions,
    metrics,
    secrets: { token: config.webhookToken, signingToken: config.webhookSigningToken },
    allowedBots: config.allowedBots,
    publicUrl: config.publicUrl,
    budget: (run) => readBudget({ usage, model, clock: act.clock, currency: config.models.currency }, run),
    warnings: async (projectId) =>
      warningsOf(await watch.signs(projectId), act.clock.now(), await warnings.of(projectId)),
    requestsPerMinute: config.requestsPerMinute,
    async ready() {
      const pending = await db.pendingMigrations();
      if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
    },
  });
  const url = await app.listen({ host: config.host, port: config.port });
  return {
    url,
    async stop(graceMs = 0) {
      const closed = app.close();
      if (graceMs > 0) await within(act.clock, graceMs, closed);
      app.server.closeAllConnections();
      await closed;
    },
  };
}

/** Advances runs: woken by the queue, and at its start by looking for what nobody advances. */
export async function startRuns(infra: Infrastructure): Promise<Running> {
  const { config, act, consumer, log, owner, metrics, model, repository, outbox, usage } = infra;
  const perform = createPerformer({
    gitlab: act.gitlab,
    repository,
    outbox,
    model,
    budgets: createBudgets({ usage, model, clock: act.clock, currency: config.models.currency }),
    observe: (call) => metrics.modelCall(call),
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
    readsWaitMs: READS_WAIT_MS,
    settings: {
      worker: owner,
      maxRuns: config.runConcurrency,
      holdMs: config.takeoverMs,
      heartbeatMs: config.heartbeatMs,
      leaseMs: config.leaseMs,
      watchMs: WATCH_MS,
    },
  });
  runner.start();
  const queue = await consumer.onRuns((runIds) => runner.take(runIds));
  const look = async (): Promise<void> =>
    runner.take(await abandonedRuns({ ...act, takeovers: infra.takeovers }, config.runConcurrency));
  // What waited for a token that GitLab accepts is tried at once: a worker that starts may have it.
  await act.store.unpark().catch(() => undefined);
  // A database that is away just now is no reason not to begin: the sweeper finds what nobody advances.
  await look().catch((error: unknown) =>
    log.warn({ error: String(error) }, 'nobody looked for abandoned runs at the start'),
  );
  // Without the queue runs are found here, only later.
  const watch = startLoop({
    name: 'runs',
    idleMs: config.sweepMs,
    clock: act.clock,
    log,
    work: async () => {
      if (consumer.health().some((health) => !health.ready)) await look();
    },
  });
  return {
    async stop(graceMs) {
      await Promise.all([queue.close(), runner.stop(graceMs), watch.stop()]);
    },
  };
}

/** Works on the inbox and delivers the outbox. */
export async function startDeliveries(infra: Infrastructure): Promise<Running> {
  const { config, act, consumer, log, owner, inbox, outbox, breaker, warnings } = infra;
  const shared = { owner, limit: AT_ONCE, holdMs: config.deliveryHoldMs };
  const { clock, gitlab } = act;
  // What a command asks is asked by a person; what notes need is not.
  const inboxDeps = {
    ...infra.actNow,
    ...shared,
    inbox,
    outbox,
    allowedBots: config.allowedBots,
    counting: rememberMembers(gitlab, clock),
    breaker,
    actionsPerMinute: config.actionsPerMinute,
    warnings,
  };
  const outboxDeps = {
    ...shared,
    outbox,
    gitlab,
    audience: createAudience({ gitlab, clock }),
    clock,
    log,
    paceMs: OUTBOX_PACE_MS,
    warnings: clearingOnce(warnings),
    statusNote: (runId: string) => statusNoteOf(act.store, runId),
  };
  const loops: Loop[] = [
    startLoop({
      name: 'inbox',
      idleMs: LOOK_MS,
      clock,
      log,
      work: (signal, draining, woken) => workInbox(inboxDeps, signal, draining, woken),
      nextInMs: () => inbox.nextDueInMs(),
    }),
    startLoop({
      name: 'outbox',
      idleMs: LOOK_MS,
      paceMs: OUTBOX_PACE_MS,
      clock,
      log,
      work: (signal, draining, woken) => deliverOutbox(outboxDeps, signal, draining, woken),
      nextInMs: () => outbox.nextDueInMs(),
    }),
  ];
  const queue = await consumer.onDeliveries(async () => {
    for (const loop of loops) loop.wake();
  });
  return {
    async stop(graceMs) {
      await Promise.all([queue.close(), ...loops.map((loop) => loop.stop(graceMs))]);
    },
  };
}
