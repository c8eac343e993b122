/**
 * Preloaded into a process of the service (`node --import`): stops it right before or right after one of its changes of the world, an effective
 * statement of the store or a writing request to GitLab. Only tests load it. Settings by environment:
 *
 * - `KILL_LOG`: a file that gets a line for each point that is passed, `NAME#N`
 * - `KILL_AT`: the point to stop at, `NAME#N`; none: every point is passed
 * - `KILL_WHEN`: `before` or `after` (GitLab: after its answer came, before anybody read it)
 * - `KILL_SIGNAL`: `SIGKILL` (default) or `SIGSTOP`
 * - `KILL_NEXT`: set, a process that was stopped before the point and goes on is killed right after it
 */
import diagnostics from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const { KILL_AT, KILL_WHEN, KILL_LOG, KILL_SIGNAL = 'SIGKILL', KILL_NEXT } = process.env;

/** Statements that change what others see. Those that only look, mark time or count are left out: nothing hangs on them. */
const STATEMENTS = new Set([
  'put_deliveries',
  'start_runs',
  'claim_runs',
  'write_runs',
  'add_outbox',
  'outbox_delivered',
  'postpone_outbox',
]);
/** Statements that change something when they answer rows, and are otherwise a look. */
const TAKING = new Set(['take_outbox', 'take_deliveries']);
/** Every note of the service comes back as a delivery of its own: of those nothing follows. */
const isOfInterest = (row: { body?: string }): boolean => !row.body?.includes('"username":"planwright"');

const passed = new Map<string, number>();

function pass(name: string): string {
  const count = (passed.get(name) ?? 0) + 1;
  passed.set(name, count);
  const point = `${name}#${count}`;
  if (KILL_LOG !== undefined) appendFileSync(KILL_LOG, `${point}\n`);
  return point;
}

function stopIf(point: string, when: 'before' | 'after'): void {
  if (point !== KILL_AT) return;
  if (when === KILL_WHEN) process.kill(process.pid, KILL_SIGNAL);
  else if (when === 'after' && KILL_NEXT !== undefined) process.kill(process.pid, 'SIGKILL');
}

interface Answer {
  rows: { body?: string }[];
}
type Query = (this: unknown, config: { name?: string }, ...rest: unknown[]) => Promise<Answer>;

const query = pg.Client.prototype.query as unknown as Query;

pg.Client.prototype.query = function hooked(this: unknown, config: { name?: string }, ...rest: unknown[]) {
  const name = typeof config === 'object' && config !== null ? config.name : undefined;
  if (name !== undefined && STATEMENTS.has(name)) {
    const point = pass(name);
    stopIf(point, 'before');
    return query.call(this, config, ...rest).then((answer) => {
      stopIf(point, 'after');
      return answer;
    });
  }
  if (name !== undefined && TAKING.has(name))
    return query.call(this, config, ...rest).then((answer) => {
      if (answer.rows.some(isOfInterest)) stopIf(pass(name), 'after');
      return answer;
    });
  return query.call(this, config, ...rest);
} as unknown as typeof pg.Client.prototype.query;

interface Sent {
  method: string;
  path: string;
}

const underWay = new WeakMap<object, string>();

diagnostics.subscribe('undici:request:create', (message) => {
  const { request } = message as { request: Sent };
  if (request.method === 'GET') return;
  const what = request.path.replace(/^\/api\/v4\/projects\/\d+\/issues\/\d+/, '').replace(/[0-9a-f]{40}|\d+/g, 'ID');
  const point = pass(`gitlab ${request.method} ${what}`);
  underWay.set(request, point);
  stopIf(point, 'before');
});

diagnostics.subscribe('undici:request:headers', (message) => {
  const { request } = message as { request: Sent };
  const point = underWay.get(request);
  if (point !== undefined) stopIf(point, 'after');
});
