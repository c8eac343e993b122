import type { FastifyRequest } from 'fastify';
import type { Order } from '../domain/order.ts';
import { forbidden, HttpError } from '../http/errors.ts';
import type { Role } from './roles.ts';

export type Permission =
  | 'order:read'
  | 'order:cancel'
  | 'order:place'
  | 'customer:read'
  | 'customer:write'
  | 'tracking:read'
  | 'export:orders'
  | 'search:orders';

/** What each role may do. `docs/permissions.md` shows the same table to people: change both. */
const GRANTS: Record<Role, readonly Permission[]> = {
  customer: ['order:read', 'order:place', 'order:cancel', 'tracking:read'],
  viewer: ['order:read', 'customer:read', 'tracking:read', 'search:orders'],
  agent: ['order:read', 'order:cancel', 'customer:read', 'customer:write', 'tracking:read', 'search:orders'],
  manager: [
    'order:read',
    'order:cancel',
    'customer:read',
    'customer:write',
    'tracking:read',
    'search:orders',
    'export:orders',
  ],
};

export function hasPermission(role: Role, permission: Permission): boolean {
  return GRANTS[role].includes(permission);
}

/** Every route begins with this: 401 without a session, 403 without the permission. */
export function requirePermission(request: FastifyRequest, permission: Permission): void {
  const { session } = request;
  if (!session) throw new HttpError(401, 'signed_out', 'sign in first');
  if (!hasPermission(session.role, permission)) throw forbidden(permission);
}

/** A customer sees only what is theirs; staff sees every order. */
export function canSeeOrder(session: { userId: string; role: Role }, order: Order): boolean {
  return session.role !== 'customer' || order.customerId === session.userId;
}
