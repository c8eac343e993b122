import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Role } from './roles.ts';
import { readSignedToken } from './tokens.ts';

export interface Session {
  userId: string;
  role: Role;
}

declare module 'fastify' {
  interface FastifyRequest {
    session?: Session;
  }
}

const COOKIE = 'order_desk_session';

function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Puts the session of a valid cookie or bearer token on the request. Without one the request stays anonymous. */
export function readSession(config: Config): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /, '');
    const token = bearer ?? cookieValue(request.headers.cookie, COOKIE);
    if (!token) return;
    const payload = readSignedToken(token, config.sessionSecret, config.sessionTtlHours * 3600);
    if (payload) request.session = { userId: payload.subject, role: payload.role as Role };
  };
}
