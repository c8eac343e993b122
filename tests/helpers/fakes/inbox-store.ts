import type { InboxStore, StoredDelivery } from '../../../src/ports/inbox.ts';
import { MOST_UNANSWERED, SUSPECT } from '../../../src/ports/unanswered.ts';
import type { FakeClock } from './clock.ts';
import type { MemoryData } from './run-data.ts';

export interface MemoryInbox extends InboxStore {
  /** By delivery id: `open`, `done: RESULT`, `failed: ERROR`. */
  state(id: string): string | undefined;
  readonly postponed: { id: string; retryInMs: number; error: string }[];
  clear(): void;
}

interface KeptDelivery extends StoredDelivery {
  state: string;
  dueAt: number;
  owner: string | null;
  heldUntil: number;
}

/** The inbox in memory; a delivery that its cause marked done counts as done. */
export function createMemoryInbox(data: MemoryData, clock: FakeClock): MemoryInbox {
  let deliveries: KeptDelivery[] = [];
  let lastSeq = 0;
  const postponed: MemoryInbox['postponed'] = [];
  const now = () => clock.now().getTime();
  const isOpen = ({ id, state }: KeptDelivery) => state === 'open' && !data.deliveriesDone.has(id);
  const isHeld = ({ owner, heldUntil }: KeptDelivery) => owner !== null && heldUntil >= now();
  const held = (id: string, owner: string) =>
    deliveries.find((known) => known.id === id && known.owner === owner && isOpen(known));

  /** The oldest open delivery of each item. */
  function heads(): KeptDelivery[] {
    const open = deliveries.filter(isOpen);
    const free = open.filter((one) => !open.some((other) => other.itemKey === one.itemKey && isHeld(other)));
    return free.filter((one) => free.find((other) => other.itemKey === one.itemKey) === one);
  }

  return {
    postponed,
    clear: () => {
      deliveries = [];
    },
    state: (id) => {
      const caused = data.deliveriesDone.get(id);
      return caused === undefined ? deliveries.find((known) => known.id === id)?.state : `done: ${caused}`;
    },
    async put(delivery) {
      const { id, content = null } = delivery;
      const same = (known: KeptDelivery) => known.id === id || (content !== null && known.content === content);
      const failed = deliveries.find((known) => known.state.startsWith('failed') && same(known));
      if (failed) {
        Object.assign(failed, { state: 'open', attempts: 0, unanswered: 0, dueAt: now() });
        return 'stored';
      }
      if (deliveries.some(same)) return 'known';
      lastSeq += 1;
      const fresh = { attempts: 0, unanswered: 0, state: 'open', dueAt: now(), owner: null, heldUntil: 0 };
      deliveries.push({ ...delivery, ...fresh, seq: lastSeq });
      return 'stored';
    },
    async take({ owner, limit, leaseMs }) {
      let hasSuspect = deliveries.some(
        (one) => one.owner === owner && isOpen(one) && isHeld(one) && one.unanswered > SUSPECT,
      );
      const due = heads().filter((one) => {
        if (one.dueAt > now()) return false;
        if (one.unanswered < SUSPECT) return true;
        const isFree = !hasSuspect;
        hasSuspect = true;
        return isFree;
      });
      return due.slice(0, limit).map((one) => {
        const { seq, id, event, itemKey, body, attempts, unanswered } = one;
        Object.assign(one, { attempts: attempts + 1, unanswered: unanswered + 1 });
        if (unanswered < MOST_UNANSWERED) Object.assign(one, { owner, heldUntil: now() + leaseMs });
        else Object.assign(one, { owner: null, state: `failed: set aside: ${unanswered} processes in a row ended` });
        return { seq, id, event, itemKey, body, attempts, unanswered };
      });
    },
    async done(id, result) {
      const delivery = deliveries.find((known) => known.id === id);
      if (delivery?.state === 'open') Object.assign(delivery, { state: `done: ${result}`, owner: null });
    },
    async extend({ owner, ids, leaseMs }) {
      const own = ids.flatMap((id) => held(id, owner) ?? []);
      for (const delivery of own) delivery.heldUntil = now() + leaseMs;
      return own.map((delivery) => delivery.id);
    },
    async postpone(id, owner, retryInMs, error) {
      const delivery = held(id, owner);
      if (!delivery) return;
      Object.assign(delivery, { owner: null, dueAt: now() + retryInMs, unanswered: 0 });
      postponed.push({ id, retryInMs, error });
    },
    async fail(id, owner, error) {
      const delivery = held(id, owner);
      if (delivery) Object.assign(delivery, { owner: null, state: `failed: ${error}` });
    },
    async nextDueInMs() {
      const open = deliveries.filter(isOpen);
      const first = open.filter((one) => open.find((other) => other.itemKey === one.itemKey) === one);
      const due = first.map((one) => Math.max(one.dueAt, one.owner === null ? 0 : one.heldUntil));
      return due.length === 0 ? null : Math.max(0, Math.min(...due) - now());
    },
  };
}
