import pg from 'pg';

/**
 * Whether the database itself refused a statement because of what it was to store, or because of what others were doing:
 * then nothing of its transaction was done. Of a connection that broke nobody knows how far it came.
 */
export function isUndone(error: unknown): boolean {
  // Data exceptions, broken constraints, deadlocks: the classes of PostgreSQL's codes.
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}
