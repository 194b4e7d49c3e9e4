import pg from 'pg';
import { StartupError } from '../process/startup-error.ts';

/**
 * PostgreSQL's classes “connection”, “transaction rollback” (such as a deadlock), “resources” (such as a full disk), “operator
 * intervention” and “system error”; an idle transaction that it ended; a standby that takes no changes; the network's codes.
 */
const transientCodes =
  /^(08...|40...|53...|57P..|58...|25P03|25006|E(CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
/** Nothing listens, the connection broke, or PostgreSQL says that it is shutting down or starting up. */
const serverGoneCodes = /^(57P0[123]|ECONNREFUSED|ENOENT|ECONNRESET|EPIPE)$/;
/** Messages of the driver’s errors that have no code. The second is for a rollback on a broken connection. */
const brokenConnection = /^(Connection terminated|Client has encountered a connection error)/;
const poolTimeout = /^timeout exceeded when trying to connect/;

type DriverError = Partial<NodeJS.ErrnoException>;

/** Whether the same statement may succeed in a moment: the database did not answer, broke off, or was busy with others. */
export function isTransientDatabaseError(error: unknown): boolean {
  const { code = '', message = '', path } = Object(error) as DriverError;
  // An error with a path is about a file.
  return (
    (transientCodes.test(code) && path === undefined) ||
    brokenConnection.test(message) ||
    poolTimeout.test(message)
  );
}

/** Whether PostgreSQL has stopped, or is stopping or starting. One that is only slow or busy is still there. */
export function isServerGone(error: unknown): boolean {
  const { code = '', message = '', path } = Object(error) as DriverError;
  return (serverGoneCodes.test(code) && path === undefined) || brokenConnection.test(message);
}

/**
 * Whether the transaction is certainly rolled back: the database rejected a statement, for its values or because of other
 * transactions. After a broken connection nobody knows.
 */
export function isKnownRollback(error: unknown): boolean {
  // Data exceptions, broken constraints, deadlocks: the classes of PostgreSQL's codes. 40003 says that it does not know.
  return error instanceof pg.DatabaseError && /^(22|23|40(?!003))/.test(error.code ?? '');
}

/** Whether a statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return Object(error).code === '55P03';
}

/** Whether the database has the row already, by a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return Object(error).code === '23505';
}

/** Whether the database ended the transaction because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}

/** For a start that waited too long. @param whatFor ends “Another program has locked tables that …” */
export function tablesLocked(whatFor: string): StartupError {
  return new StartupError(
    `Another program has locked tables that ${whatFor}. Stop it (an Onward of an earlier version, a backup, an open session of psql), ` +
      'then start Onward again.',
  );
}
