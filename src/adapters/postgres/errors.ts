import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';

/** The server answered and undid the statement: whoever gathered several things in it may repeat them one by one. */
export class StatementRefused extends PermanentFailure {
  readonly sqlState: string;
  readonly constraint: string | null;
  constructor(code: string, message: string, sqlState: string, constraint: string | null) {
    super(code, message);
    this.name = 'StatementRefused';
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}

/** SQLSTATE classes that mean: not now. Connection, authorisation, no such database, resources, operator, system. */
const UNAVAILABLE = /^(08|28|3D|53|57|58|XX)/;

/**
 * A driver's error in our words. It keeps the SQLSTATE and the constraint's name; statement, values and address stay out of it
 * (they may hold what people wrote, or a password).
 */
export function translateError(error: unknown, statement: string): TransientFailure | PermanentFailure {
  if (error instanceof TransientFailure || error instanceof PermanentFailure) return error;
  // A slip in our own code is no reason to try again.
  if (error instanceof TypeError || error instanceof RangeError) {
    return new PermanentFailure('store_misused', `${statement} could not be sent: ${error.name}`);
  }
  const { code, constraint } = detailsOf(error);
  if (code === null || UNAVAILABLE.test(code)) {
    return new TransientFailure(
      'store_unavailable',
      `The database cannot be reached or is not ready (${code ?? 'connection lost'})`,
    );
  }
  if (code === '42P01' || code === '42703') {
    const message = `The database lacks a table or column that ${statement} needs: run "planwright migrate"`;
    return new StatementRefused('store_not_migrated', message, code, null);
  }
  const where = constraint === null ? '' : `, ${constraint}`;
  return new StatementRefused(
    'store_refused',
    `The database refused ${statement} (SQLSTATE ${code}${where})`,
    code,
    constraint,
  );
}

/** Deadlock or serialization: the server undid the statement and the same one may simply be sent again. */
export function isRepeatable(error: unknown): boolean {
  const { code } = detailsOf(error);
  return code === '40P01' || code === '40001';
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof StatementRefused && error.sqlState === '23505' && error.constraint === constraint;
}

/** `code` is null unless it is an SQLSTATE: a socket's code (`ECONNREFUSED`) and a driver's own error have none. */
function detailsOf(error: unknown): { code: string | null; constraint: string | null } {
  if (typeof error !== 'object' || error === null) return { code: null, constraint: null };
  const code =
    'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : null;
  return { code, constraint };
}
