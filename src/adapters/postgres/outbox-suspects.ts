/** Which row that nobody answered (`SUSPECT`) each owner has at work: it is known here, so that the statement that takes rows need not look for it. */
export interface Suspects {
  has(owner: string): boolean;
  took(owner: string, id: number, leaseMs: number): void;
  extended(owner: string, ids: readonly number[], leaseMs: number): void;
  answered(owner: string, id: number): void;
}

export function createSuspects(): Suspects {
  const atWork = new Map<string, { id: number; until: number }>();
  return {
    has: (owner) => (atWork.get(owner)?.until ?? Number.NEGATIVE_INFINITY) >= performance.now(),
    took: (owner, id, leaseMs) => void atWork.set(owner, { id, until: performance.now() + leaseMs }),
    extended(owner, ids, leaseMs) {
      const held = atWork.get(owner);
      if (held && ids.includes(held.id)) held.until = performance.now() + leaseMs;
    },
    answered(owner, id) {
      if (atWork.get(owner)?.id === id) atWork.delete(owner);
    },
  };
}
