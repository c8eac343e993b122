import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import { createRunner, type RunnerDeps } from '../../../../src/app/runner/runner.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';
import { type Service, startRun } from '../setup.ts';
import { createDesk } from './desk.ts';

/** A runner over the service's stores, whose effects the test ends by hand. */
export function runnerOf(
  service: Service,
  worker = 'worker-a',
  change: { store?: Partial<RunStore>; maxRuns?: number } = {},
) {
  const desk = createDesk();
  const deps: RunnerDeps = {
    store: { ...service.store, ...change.store },
    lease: service.lease,
    perform: desk.perform,
    pieceOf: createPieceCache(),
    clock: service.clock,
    log: service.log,
    onOutbox: () => undefined,
    settings: {
      worker,
      maxRuns: change.maxRuns ?? 10,
      holdMs: 15_000,
      heartbeatMs: 5000,
      leaseMs: 30_000,
      watchMs: 1000,
    },
  };
  return { runner: createRunner(deps), desk };
}

/** A run that nobody holds. */
export async function freeRun(service: Service, id = 'run-a', change: { leaseToken?: string; globalId?: number } = {}) {
  const claimed = await startRun(service.store, { id, ...change });
  await service.store.release([{ runId: id, fence: claimed.fence }]);
}
