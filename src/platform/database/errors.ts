import pg from 'pg';
import { StartupError } from '../process/startup-error.ts';

/**
 * PostgreSQL's classes “connection”, “transaction rollback” (such as a deadlock), “resources” (such as a full disk), “operator
 * intervention” and “system error”; an idle transaction that it ended; a standby that takes no changes; the network's codes.
 */
const transientCodes =
  /^(08...|40...|53...|57P..|58...|25P03|25006|E(CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
/** Messages of the driver’s errors that have no code. The third is for a rollback on a broken connection. */
const transientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether the same statement may succeed in a moment: the database did not answer, broke off, or was busy with others. */
export function isTransientDatabaseError(error: unknown): boolean {
  const { code = '', message = '', path } = Object(error) as Partial<NodeJS.ErrnoException>;
  // An error with a path is about a file.
  return (transientCodes.test(code) && path === undefined) || transientMessages.test(message);
}

/**
 * Whether the transaction is certainly rolled back: the database rejected a statement, for its values or because of other
 * transactions. After a broken connection nobody knows.
 */
export function isKnownRollback(error: unknown): boolean {
  // Data exceptions, broken constraints, deadlocks: the classes of PostgreSQL's codes.
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
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

/** For a start that waited too long. @param why ends “Another program keeps the tables locked that …” */
export function tablesLocked(why: string): StartupError {
  return new StartupError(
    `Another program keeps the tables locked that ${why}. Stop it (an Onward of an earlier version, a backup, an open session of psql), ` +
      'then start Onward again.',
  );
}
