/** Failures as RFC 9457 problem documents with a stable `code`: the one place where they become HTTP (design: Style). */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
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
  budget_exhausted: 403,
  price_unknown: 403,
  model_not_offered: 422,
  forbidden: 403,
  project_archived: 422,
  item_closed: 409,
  item_moved: 409,
  already_running: 409,
  already_continued: 409,
  not_resumable: 409,
  not_running: 409,
  bot_cannot_see_item: 422,
  piece_missing: 422,
  piece_invalid: 422,
  piece_without_workplan: 422,
  not_supported: 422,
  too_many_actions: 429,
  unknown_action: 422,
};

export function statusOfRefusal(code: RefusalCode): number {
  return REFUSED_STATUS[code];
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Sign-in needed',
  403: 'Not allowed',
  404: 'Not found',
  408: 'Too slow',
  409: 'Not in this state',
  413: 'Too large',
  414: 'Address too long',
  415: 'Media type not supported',
  422: 'Cannot be done',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'GitLab gave no usable answer',
  503: 'Not available now',
};

/** Of what fastify itself refuses. */
const CODES: Record<number, string> = {
  404: 'not_found',
  413: 'too_large',
  414: 'address_too_long',
  415: 'media_type_not_supported',
};

/** Details may repeat what was sent. */
const MAX_DETAIL = 2000;

function send(reply: FastifyReply, problem: Problem): FastifyReply {
  const { status, code, extra } = problem;
  const detail =
    problem.message.length > MAX_DETAIL ? `${problem.message.slice(0, MAX_DETAIL).toWellFormed()}…` : problem.message;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .removeHeader('etag')
    .header('cache-control', 'no-store')
    .code(status)
    .type('application/problem+json')
    .send(documentOf(status, code, detail, extra));
}

function documentOf(status: number, code: string, detail: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, code, detail, ...extra });
}

/** What is no HTTP, too slow or has too large headers never becomes a request: answered on the socket, which is closed. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, code, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'headers_too_large', 'The headers are larger than the server reads.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'too_slow', 'The request took too long to arrive.']
        : [400, 'invalid_request', 'This is no HTTP request.'];
  const body = documentOf(Number(status), String(code), String(detail));
  const headers = `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[Number(status)]}\r\n${headers}\r\n\r\n${body}`);
  socket.destroy(error);
}

/** No answer shows a stack trace, an SQL text or a token: what is unexpected is logged and answered as `internal`. */
export function installProblems(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answerProblem(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => send(reply, nothingAt(request)));
}

/** Of an address without a route. */
export function nothingAt({ url, method }: Pick<FastifyRequest, 'url' | 'method'>): Problem {
  return new Problem(404, 'not_found', `There is nothing at ${method} ${url.split('?', 1)[0]?.slice(0, 200)}.`);
}

export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof TransientFailure && error.retryAfterMs !== undefined)
    reply.header('retry-after', Math.ceil(error.retryAfterMs / 1000));
  return send(reply, problemOf(error, request, log));
}

function problemOf(error: unknown, request: FastifyRequest, log: Log): Problem {
  const { url } = request.routeOptions;
  if (error instanceof Problem) return error;
  if (error instanceof TransientFailure) {
    log.warn({ url, code: error.code, error }, 'request could not be served now');
    return new Problem(503, error.code, 'A server that this needs cannot be reached now; try again later.');
  }
  if (error instanceof PermanentFailure && error.code.startsWith('gitlab_')) {
    log.error({ url, code: error.code, error }, 'request failed');
    return new Problem(502, error.code, error.message);
  }
  if (hasZodFastifySchemaValidationErrors(error)) return new Problem(400, 'invalid_request', validationText(error));
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  // Fastify's own words are meant for the caller; a body that could not be read comes with other's, as 400.
  const own = error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
  if (own && status >= 400 && status < 500)
    return new Problem(status, CODES[status] ?? 'invalid_request', error.message);
  if (status === 400) return new Problem(400, 'invalid_request', 'The body could not be read.');
  log.error({ url, error }, 'request failed unexpectedly');
  return new Problem(500, 'internal', 'Something went wrong on the server; its log says more.');
}

function validationText(error: Pick<FastifyError, 'validation'>): string {
  const problems = (error.validation ?? []).map(
    (issue) => `${issue.instancePath.slice(1) || 'the input'}: ${issue.message ?? 'is wrong'}`,
  );
  return problems.join('; ');
}
