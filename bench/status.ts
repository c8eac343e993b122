/** An unchanged status poll (ETag), permission checked first, beside a bare Fastify route that answers the same 304. */
import { freePort } from '../scripts/launch/guarded.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { openLanes } from './http/lanes.ts';
import { atFullSpeed } from './http/load.ts';
import { type ServerProcess, startServer } from './http/server-process.ts';
import { openStatusPlace } from './http/status-place.ts';

const CONNECTIONS = 32;
const ROUNDS = 7;
const ROUND_MS = 2000;
const SHARE = 0.6;

export interface Polls {
  perSecond: number;
  p99: number;
  /** Processor time of the server process a poll, microseconds. */
  cpuUs: number;
}

export const bench: Bench = {
  what: `Unchanged status polls from ${CONNECTIONS} connections, permission checked before the ETag, beside a bare Fastify route.`,
  async run(log) {
    const place = await openStatusPlace();
    try {
      const port = await freePort();
      const bare = await startServer(['bench/http/bare.ts', String(port)], port);
      try {
        const [ours, theirs] = [await place.poll(), await place.poll(port, '"1"')];
        const rounds: { ours: Polls; bare: Polls }[] = [];
        // The first round only warms up.
        for (let round = 0; round <= ROUNDS; round += 1) {
          const one = { ours: await pollHard(place.api, ours), bare: await pollHard(bare, theirs) };
          log(`round ${round}: ours ${one.ours.perSecond.toFixed(0)}/s, bare ${one.bare.perSecond.toFixed(0)}/s`);
          if (round > 0) rounds.push(one);
        }
        return figuresOf(rounds);
      } finally {
        await bare.stop();
      }
    } finally {
      await place.close();
    }
  },
};

/** As many polls as the server answers; all must be answered 304. */
export async function pollHard(server: ServerProcess, poll: Buffer, ms: number = ROUND_MS): Promise<Polls> {
  const lanes = await openLanes(server.port, CONNECTIONS);
  const cpu = server.cpuMs();
  const { perSecond, statuses, p99 } = await atFullSpeed(lanes, () => poll, ms);
  const cpuMs = server.cpuMs() - cpu;
  for (const lane of lanes) lane.close();
  const { 304: unchanged = 0, ...others } = statuses;
  if (Object.keys(others).length > 0) throw new Error(`Not all polls were answered 304: ${JSON.stringify(statuses)}`);
  return { perSecond, p99, cpuUs: (cpuMs / unchanged) * 1000 };
}

function figuresOf(rounds: readonly { ours: Polls; bare: Polls }[]): Figure[] {
  const of = (what: (round: { ours: Polls; bare: Polls }) => number): number => median(rounds.map(what));
  return [
    { name: 'ours', value: of(({ ours }) => ours.perSecond), unit: 'polls/s' },
    { name: 'bare Fastify route', value: of(({ bare }) => bare.perSecond), unit: 'polls/s' },
    {
      name: 'ours / bare, polls a second',
      value: 100 * of(({ ours, bare }) => ours.perSecond / bare.perSecond),
      unit: '%',
      goal: { min: 100 * SHARE },
    },
    { name: 'bare / ours, processor time', value: 100 * of(({ ours, bare }) => bare.cpuUs / ours.cpuUs), unit: '%' },
    { name: 'ours, processor time of the API', value: of(({ ours }) => ours.cpuUs), unit: 'µs a poll' },
    { name: 'bare, processor time', value: of(({ bare }) => bare.cpuUs), unit: 'µs a poll' },
    { name: 'ours, p99 at full speed', value: of(({ ours }) => ours.p99), unit: 'ms' },
  ];
}
