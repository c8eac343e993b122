import type { Lane, Reply } from './lanes.ts';

export interface Load {
  perSecond: number;
  /** Replies by status. */
  statuses: Record<number, number>;
  p50: number;
  p99: number;
}

/** Every lane sends its next request as soon as the last was answered, until none is left or the time is over. */
export async function atFullSpeed(lanes: readonly Lane[], next: () => Buffer | undefined, ms: number): Promise<Load> {
  const replies: Reply[] = [];
  const started = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      while (performance.now() - started < ms) {
        const request = next();
        if (request === undefined) break;
        replies.push(await lane.send(request));
      }
    }),
  );
  return loadOf(replies, performance.now() - started);
}

/** So many a second, whatever the answers take: latency counts from the moment at which a request was due. */
export async function atPace(
  lanes: readonly Lane[],
  next: () => Buffer | undefined,
  perSecond: number,
  ms: number,
): Promise<Load> {
  const replies: Reply[] = [];
  const free = [...lanes];
  const due: number[] = [];
  const underWay = new Set<Promise<void>>();
  const started = performance.now();
  let scheduled = 0;

  function drain(): void {
    for (;;) {
      const lane = free[free.length - 1];
      const at = due[0];
      if (lane === undefined || at === undefined) return;
      const request = next();
      if (request === undefined) return;
      free.pop();
      due.shift();
      const sent = lane.send(request).then(({ status }) => {
        replies.push({ status, ms: performance.now() - at });
        free.push(lane);
        drain();
      });
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
    }
  }

  for (let now = started; now - started < ms; now = performance.now()) {
    for (; started + (scheduled * 1000) / perSecond <= now; scheduled += 1)
      due.push(started + (scheduled * 1000) / perSecond);
    drain();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (underWay.size > 0) await Promise.all(underWay);
  return loadOf(replies, performance.now() - started);
}

function loadOf(replies: readonly Reply[], ms: number): Load {
  const times = replies.map((reply) => reply.ms).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const statuses: Record<number, number> = {};
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1;
  return { perSecond: (replies.length / ms) * 1000, statuses, p50: at(0.5), p99: at(0.99) };
}
