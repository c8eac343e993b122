/** Who somebody is to the shop. Staff roles are given by a manager, customers sign up themselves. */
export type Role = 'customer' | 'viewer' | 'agent' | 'manager';

export const STAFF_ROLES: readonly Role[] = ['viewer', 'agent', 'manager'];

export function isStaff(role: Role): boolean {
  return STAFF_ROLES.includes(role);
}
