import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** A refusal the caller can act on. `code` is stable, `message` is for people. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function notFound(what: string): HttpError {
  return new HttpError(404, 'not_found', `${what} was not found`);
}

export function forbidden(permission: string): HttpError {
  return new HttpError(403, 'forbidden', `this needs the permission "${permission}"`);
}

export function conflict(code: string, message: string): HttpError {
  return new HttpError(409, code, message);
}

export function answerError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof HttpError) {
    reply.code(error.status).send({ code: error.code, message: error.message });
    return;
  }
  request.log.error({ err: error }, 'request failed');
  reply.code(error.statusCode ?? 500).send({ code: 'internal', message: 'something went wrong' });
}
