/** Maintenance: sweeps, pauses, reconciliation, retention. Several processes at it do no harm. */
import { type Loop, startLoop } from '../app/loop.ts';
import { rememberMembers } from '../app/members.ts';
import { tendPauses } from '../app/pauses.ts';
import { pruneAll } from '../app/prune.ts';
import { reconcile } from '../app/reconcile.ts';
import { sweep } from '../app/sweep.ts';
import { lookAfterWaiting } from '../app/waiting.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Running } from './processes.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export async function startMaintenance(infra: Infrastructure): Promise<Running> {
  const { config, log, act, inbox, outbox, turns, upkeep, watch, retention } = infra;
  const { clock } = act;
  const loops: Loop[] = [];
  const begin = (
    name: string,
    idleMs: number,
    work: (signal: AbortSignal, draining: AbortSignal) => Promise<unknown>,
  ) => void loops.push(startLoop({ name, idleMs, clock, log, work }));

  begin('sweeper', config.sweepMs, async () => {
    await sweep({ ...act, turns, takeovers: infra.takeovers });
    await tendPauses(
      { ...act, outbox, upkeep },
      { expiryMs: config.pauseExpiryMs, reminderMs: config.pauseReminderMs },
    );
  });
  begin('backlog', MINUTE_MS, () => warnOfBacklog(infra));
  if (config.reconcileMs > 0) {
    const hookUrl = `${config.publicUrl}/webhooks/gitlab`;
    const deps = { ...act, inbox, outbox, watch, hookUrl, everyMs: config.reconcileMs };
    // More often than a project is looked at: a pass takes a few.
    begin('reconciliation', Math.max(1000, config.reconcileMs / 10), (signal) => reconcile(deps, signal));
  }
  if (config.reconcileMs > 0) {
    const counting = {
      ...act,
      outbox,
      upkeep,
      gitlab: rememberMembers(act.gitlab, clock),
      allowedBots: config.allowedBots,
    };
    begin('waiting runs', Math.max(1000, config.reconcileMs / 10), (signal) =>
      lookAfterWaiting(counting, config.reconcileMs, signal),
    );
  }
  const { retentionMs } = config;
  if (retentionMs !== null) {
    begin('retention', HOUR_MS, async (_signal, draining) => {
      const pruned = await pruneAll(retention, retentionMs, draining);
      if (Object.values(pruned).some((count) => count > 0)) log.info({ ...pruned }, 'pruned what is too old');
    });
  }
  return {
    async stop(graceMs) {
      await Promise.all(loops.map((loop) => loop.stop(graceMs)));
    },
  };
}

/** Deliveries and notes that nobody works on: no worker runs, or none gets through. */
async function warnOfBacklog({ upkeep, log, act }: Infrastructure): Promise<void> {
  const { inbox, outbox } = await upkeep.backlog();
  if (Math.max(inbox.oldestDueMs ?? 0, outbox.oldestDueMs ?? 0) < MINUTE_MS) return;
  log.warn(
    { inbox, outbox },
    'deliveries or notes wait and nobody works on them: is a worker with the queue deliveries running?',
  );
  await act.queue.wakeDeliveries();
}
