import pg from 'pg';

/**
 * PostgreSQL's classes of “connection”, “transaction rollback” (a deadlock, of which it ends one side), “resources” (a full
 * disk), “operator intervention” and “system error”, a transaction that waited too long, a standby that takes no changes
 * yet, and the network's own codes.
 */
const awayCodes =
  /^(08...|40...|53...|57P..|58...|25P03|25006|E(CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
/** What the driver says without a code; the third of a connection that broke, when it is asked to roll back. */
const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error means that the database did not answer, or broke off: it may be back in a moment. */
export function databaseIsAway(error: unknown): boolean {
  const { code = '', message = '', path } = Object(error) as Partial<NodeJS.ErrnoException>;
  // What has a path is about a file.
  return (awayCodes.test(code) && path === undefined) || awayMessages.test(message);
}

/**
 * Whether the database itself refused a statement because of what it was to store, or because of what others were doing:
 * then nothing of its transaction was done. Of a connection that broke nobody knows how far it came.
 */
export function isUndone(error: unknown): boolean {
  // Data exceptions, broken constraints, deadlocks: the classes of PostgreSQL's codes.
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}
