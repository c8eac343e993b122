import type { AdvanceDeps } from '../../../../src/app/runner/advance.ts';
import { createPieceCache } from '../../../../src/app/runner/piece-cache.ts';
import type { Service } from '../setup.ts';
import { createDesk, watchAppends } from './desk.ts';

export const never = new AbortController().signal;

export function depsOf(service: Service, change: Partial<AdvanceDeps> = {}) {
  const desk = createDesk();
  const appends = watchAppends(service.store);
  let outboxWakes = 0;
  const deps: AdvanceDeps = {
    store: appends.store,
    perform: desk.perform,
    pieceOf: createPieceCache(),
    clock: service.clock,
    log: service.log,
    onOutbox: () => {
      outboxWakes += 1;
    },
    ...change,
  };
  return { deps, desk, appends, outboxWakes: () => outboxWakes };
}

export const pinned = (id: string) => ({ type: 'pinned' as const, effectId: id, commit: 'c0ffee', language: 'en' });
export const types = (service: Service, id = 'run-a') => service.store.run(id).events.map((event) => event.type);
