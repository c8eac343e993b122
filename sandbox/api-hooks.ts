import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxDeps } from './deps.ts';
import { type Fault, faultAnswer, faultStatus } from './faults.ts';
import type { Refusal } from './rate-limits.ts';
import { authenticate, requireScope } from './tokens.ts';

function apiPath(request: FastifyRequest): string {
  return (request.url.split('?')[0] ?? '').replace(/^\/api(?:\/v4)?/, '');
}

/** Who asks and what their token lets them, rate limits, the faults asked for, and the journal of every API call. */
export function apiHooks(api: FastifyInstance, deps: SandboxDeps, closing: AbortSignal): void {
  const { state, faults, limiter } = deps;
  const pending = new WeakMap<FastifyRequest, Fault>();

  api.addHook('onRequest', async (request, reply) => {
    const path = apiPath(request);
    const key = String(request.headers['private-token'] ?? request.headers.authorization ?? '');
    const throttled = limiter.throttle(key, state.now());
    reply.headers(throttled.headers);
    if (throttled.refusal) return refuse(reply, throttled.refusal);
    state.expireMembers();
    const { user, token } = authenticate(state, request.headers);
    request.sandbox.actor = user;
    request.sandbox.token = token;
    requireScope(token, request.method, path);
    const refusal = limiter.application(user.username, request.method, path, state.now());
    if (refusal) {
      for (const name of Object.keys(throttled.headers)) reply.removeHeader(name);
      return refuse(reply, refusal);
    }
    const fault = faults.take(request.method, path);
    const status = fault ? faultStatus(fault) : null;
    if (fault && !fault.afterCommit) {
      await pause(fault.delayMs, closing);
      if (status !== null) return playFault(reply, fault, status);
    }
    if (fault?.afterCommit) pending.set(request, fault);
    return undefined;
  });

  function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
    return reply.code(429).headers(refusal.headers).send(refusal.body);
  }

  function playFault(reply: FastifyReply, fault: Fault, status: number): FastifyReply {
    const answer = faultAnswer(status, state.now());
    return reply
      .code(status)
      .headers({ ...answer.headers, ...fault.headers })
      .send(answer.body);
  }

  api.addHook('onSend', async (request, reply, payload) => {
    // GitLab names no charset, and there are clients that compare the whole header.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8')
      reply.header('content-type', 'application/json');
    const fault = pending.get(request);
    let body = payload;
    if (fault) {
      pending.delete(request);
      const status = faultStatus(fault) ?? 502;
      const answer = faultAnswer(status, state.now());
      await pause(fault.delayMs, closing);
      reply
        .code(status)
        .headers({ ...answer.headers, ...fault.headers })
        .removeHeader('content-length');
      body = answer.body;
    }
    state.journal.push({
      seq: state.journal.length + 1,
      at: state.timestamp(),
      actor: request.sandbox.actor?.username ?? null,
      method: request.method,
      path: apiPath(request),
      status: reply.statusCode,
      id: request.sandbox.changedId,
    });
    return body;
  });
}

/** Waits, but not beyond the sandbox's end. */
async function pause(ms: number, closing: AbortSignal): Promise<void> {
  if (ms === 0 || closing.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  closing.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
