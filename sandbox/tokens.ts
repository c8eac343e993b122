import { ApiError } from './errors.ts';
import type { AccessToken, User } from './model.ts';
import type { SandboxState } from './state.ts';

const TOKEN_PREFIX = 'sandbox-';

/** Who asks, and with which token when it is none of those that everybody has. */
export interface Credential {
  user: User;
  token: AccessToken | null;
}

const STATES: Record<string, string> = {
  blocked: 'Your account has been blocked.',
  deactivated: 'Your account has been deactivated by your administrator. Please log back in from a web browser.',
  banned: 'Your account has been banned.',
};

function oauthError(error: string, text: string, extra: object = {}): object {
  return { error, error_description: text, ...extra };
}

/** The user a request's token belongs to; 401 for none, an unknown, revoked or expired one, 403 for a user who is not active. */
export function authenticate(state: SandboxState, headers: Record<string, string | string[] | undefined>): Credential {
  const direct = headers['private-token'];
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization?.toString() ?? '')?.[1];
  const value = (typeof direct === 'string' ? direct : bearer)?.trim() ?? '';
  const token = state.tokens.find((known) => known.value === value) ?? null;
  const name = value.startsWith(TOKEN_PREFIX) ? value.slice(TOKEN_PREFIX.length) : '';
  const user = state.users.find((known) => (token ? known.id === token.userId : known.username === name));
  if (!user) throw new ApiError(401, { message: '401 Unauthorized' });
  if (token?.revoked) {
    throw new ApiError(401, oauthError('invalid_token', 'Token was revoked. You have to re-authorize from the user.'));
  }
  if (token?.expiresAt && token.expiresAt <= state.timestamp().slice(0, 10)) {
    const text = 'Token is expired. You can either do re-authorization or token refresh.';
    throw new ApiError(401, oauthError('invalid_token', text));
  }
  if (user.state !== 'active') throw new ApiError(403, { message: `403 Forbidden - ${STATES[user.state]}` });
  return { user, token };
}

/** Does one of the scopes let a call to `path` (without `/api/v4`) through? 403 otherwise. */
export function requireScope(token: AccessToken | null, method: string, path: string): void {
  if (!token || token.scopes.includes('api')) return;
  const reads = method === 'GET' || method === 'HEAD' || path === '/graphql';
  const may = (scope: string): boolean => token.scopes.includes(scope);
  if (path === '/personal_access_tokens/self') return;
  if (reads && may('read_api')) return;
  if (reads && may('read_user') && /^\/users?(?:\/|$)/.test(path)) return;
  if (reads && may('read_repository') && /\/repository\/(?:files\/|archive|tree)/.test(path)) return;
  const text = 'The request requires higher privileges than provided by the access token.';
  throw new ApiError(403, oauthError('insufficient_scope', text, { scope: reads ? 'api read_api' : 'api' }));
}
