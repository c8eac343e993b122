import type { CallGate, CallLimit, EnterCall } from '../../ports/call-limit.ts';
import type { RedisConnection } from './connect.ts';

/**
 * KEYS: pauses (kind → until), budget (remaining, reset, reserve), places (owner and place → lapses), waiting urgently, waiting
 * (owner → counted until). ARGV: kind, urgent, owner, place, holdMs, places, waitsMs. Times are the server's, so that clocks of processes
 * do not matter. Answers milliseconds to wait, 0 entered, -1 full.
 */
const ENTER = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kind, urgent, owner, member = ARGV[1], ARGV[2] == '1', ARGV[3], ARGV[3] .. ' ' .. ARGV[4]
local until_all = tonumber(redis.call('hget', KEYS[1], '*') or 0)
local until_kind = tonumber(redis.call('hget', KEYS[1], kind) or 0)
local wait = math.max(until_all, until_kind) - now
local budget = redis.call('hmget', KEYS[2], 'remaining', 'reset', 'reserve')
local remaining, reset = tonumber(budget[1]), tonumber(budget[2])
local counts = remaining and reset and reset > now
if counts and (remaining <= 0 or (not urgent and remaining <= tonumber(budget[3] or 0))) then
  wait = math.max(wait, reset - now)
end
if wait > 0 then return wait end
for i = 3, 5 do redis.call('zremrangebyscore', KEYS[i], '-inf', now) end
local line = urgent and KEYS[4] or KEYS[5]
local total = tonumber(ARGV[6])
local held = redis.call('zrange', KEYS[3], 0, -1)
local full = #held >= total or (not urgent and redis.call('zcard', KEYS[4]) > 0)
if not full then
  local waiting = redis.call('zrange', line, 0, -1)
  local owners, count, mine, others = { [owner] = true }, 1, 0, false
  for _, name in ipairs(waiting) do
    if not owners[name] then owners[name] = true; count = count + 1 end
    if name ~= owner then others = true end
  end
  for _, name in ipairs(held) do
    local who = string.match(name, '^(%S+)')
    if who == owner then mine = mine + 1 end
    if not owners[who] then owners[who] = true; count = count + 1 end
  end
  full = others and mine >= math.ceil(total / count)
end
if full then
  redis.call('zadd', line, now + tonumber(ARGV[7]), owner)
  redis.call('pexpire', line, ARGV[7])
  return -1
end
redis.call('zrem', line, owner)
redis.call('zadd', KEYS[3], now + tonumber(ARGV[5]), member)
redis.call('pexpire', KEYS[3], math.max(tonumber(ARGV[5]), redis.call('pttl', KEYS[3])))
if counts then redis.call('hincrby', KEYS[2], 'remaining', -1) end
return 0`;

/** KEYS: pauses, strikes. ARGV: scope, refused kind, ms ('' none), firstMs, maxMs, stretch. */
const PAUSE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local strikes = redis.call('hincrby', KEYS[2], ARGV[2], 1)
local ms = tonumber(ARGV[3])
if not ms then ms = math.min(tonumber(ARGV[4]) * 2 ^ (strikes - 1), tonumber(ARGV[5])) end
ms = math.ceil(ms * tonumber(ARGV[6]))
local before = tonumber(redis.call('hget', KEYS[1], ARGV[1]) or 0)
if now + ms > before then redis.call('hset', KEYS[1], ARGV[1], string.format('%.0f', now + ms)) end
redis.call('pexpire', KEYS[1], math.max(ms + 1000, redis.call('pttl', KEYS[1])))
redis.call('pexpire', KEYS[2], math.max(ms + 10 * tonumber(ARGV[5]), redis.call('pttl', KEYS[2])))
return ms`;

/** KEYS: budget. ARGV: remaining, resetMs, reserve. Answers overtake each other: within one count the lowest holds. */
const BUDGET = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reset = now + tonumber(ARGV[2])
local known = redis.call('hmget', KEYS[1], 'remaining', 'reset')
local remaining = tonumber(ARGV[1])
if known[2] and math.abs(tonumber(known[2]) - reset) < 2000 then remaining = math.min(remaining, tonumber(known[1])) end
if known[2] and tonumber(known[2]) - reset >= 2000 then return 0 end
redis.call('hset', KEYS[1], 'remaining', remaining, 'reset', string.format('%.0f', reset), 'reserve', ARGV[3])
redis.call('pexpire', KEYS[1], math.max(1, tonumber(ARGV[2])))
return 1`;

/** The gate in Redis: all keys of a limit stand in one slot, whatever is in them lapses by itself. */
export function createRedisCallLimit(options: { redis: RedisConnection; prefix: string }): CallLimit {
  const { redis } = options;
  const key = (limit: string, what: string): string => `{${options.prefix}:calls:${limit}}:${what}`;
  const run = (script: string, keys: string[], ...args: (string | number)[]): Promise<unknown> =>
    redis.run((client) => client.eval(script, keys.length, ...keys, ...args));

  async function enter(input: EnterCall): Promise<CallGate> {
    const { limit, kind, urgent, owner, place, holdMs, places, waitsMs } = input;
    const keys = ['pauses', 'budget', 'places', 'urgent', 'waiting'].map((what) => key(limit, what));
    const answer = Number(await run(ENTER, keys, kind, urgent ? 1 : 0, owner, place, holdMs, places, waitsMs));
    if (answer === 0) return { kind: 'entered' };
    return answer < 0 ? { kind: 'full' } : { kind: 'paused', ms: answer };
  }

  return {
    enter,
    async leave({ limit, owner, place }) {
      await redis.run((client) => client.zrem(key(limit, 'places'), `${owner} ${place}`));
    },
    async pause({ limit, kind, refused, ms, firstMs, maxMs, stretch }) {
      const keys = [key(limit, 'pauses'), key(limit, 'strikes')];
      await run(PAUSE, keys, kind ?? '*', refused, ms ?? '', firstMs, maxMs, stretch);
    },
    async calm(limit, kind) {
      await redis.run((client) => client.hdel(key(limit, 'strikes'), kind));
    },
    async budget({ limit, remaining, resetMs, reserve }) {
      await run(BUDGET, [key(limit, 'budget')], remaining, Math.ceil(resetMs), reserve);
    },
  };
}
