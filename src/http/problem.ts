/** Failures as RFC 9457 problem documents with a stable `code`: the one place where they become HTTP (design: Style). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { RefusalCode } from '../app/actions/types.ts';
import { PermanentFailure, TransientFailure } from '../ports/failures.ts';
import type { Log } from '../ports/log.ts';

/** Thrown by routes; `extra` goes into the document. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: Record<string, unknown>;
  constructor(status: number, code: string, detail: string, extra: Record<string, unknown> = {}) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

const REFUSED_STATUS: Record<RefusalCode, number> = {
  group_level_item: 422,
  disabled: 403,
  settings_invalid: 422,
  forbidden: 403,
  item_closed: 409,
  already_running: 409,
  already_continued: 409,
  not_resumable: 409,
  not_running: 409,
  unknown_pause: 409,
  piece_missing: 422,
  piece_invalid: 422,
  piece_without_workplan: 422,
  not_supported: 422,
};

export function statusOfRefusal(code: RefusalCode): number {
  return REFUSED_STATUS[code];
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Sign-in needed',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not in this state',
  413: 'Too large',
  415: 'Media type not supported',
  422: 'Cannot be done',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'GitLab gave no usable answer',
  503: 'Not available now',
};

function send(
  reply: FastifyReply,
  status: number,
  code: string,
  detail: string,
  extra: Record<string, unknown> = {},
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, code, detail, ...extra }));
}

/** No answer shows a stack trace, an SQL text or a token: what is unexpected is logged and answered as `internal`. */
export function installProblems(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    answer(error, request, reply, log),
  );
  app.setNotFoundHandler((request, reply) =>
    send(
      reply,
      404,
      'not_found',
      `There is nothing at ${request.method} ${request.url.split('?', 1)[0]?.slice(0, 200)}.`,
    ),
  );
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof Problem) return send(reply, error.status, error.code, error.message, error.extra);
  if (error instanceof TransientFailure) {
    if (error.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterMs / 1000));
    log.warn({ url: request.routeOptions.url, code: error.code }, 'request could not be served now');
    return send(reply, 503, error.code, 'A server that this needs cannot be reached now; try again later.');
  }
  if (error instanceof PermanentFailure) {
    log.error({ url: request.routeOptions.url, code: error.code }, 'request failed');
    return send(reply, 502, error.code, error.message);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(
      (issue) => `${issue.instancePath.slice(1) || 'the input'}: ${issue.message ?? 'is wrong'}`,
    );
    return send(reply, 400, 'invalid_request', problems.join('; '));
  }
  const status = error.statusCode ?? 500;
  if (status < 500) return send(reply, status, codeOf(error, status), error.message);
  log.error({ url: request.routeOptions.url, error: error.stack ?? String(error) }, 'request failed unexpectedly');
  return send(reply, 500, 'internal', 'Something went wrong on the server; its log says more.');
}

function codeOf(error: FastifyError, status: number): string {
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  return error.code === undefined ? 'invalid_request' : error.code.toLowerCase().replace(/^fst_(err_)?/, '');
}
