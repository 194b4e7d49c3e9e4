import { type Db, PoolDb, type Trx } from './connect.ts';
import { isDeadlock } from './errors.ts';

/** How a transaction ended. A commit that fails counts as unknown: after a broken connection nobody can tell what became of it. */
export type TransactionOutcome = 'committed' | 'rolled-back' | 'unknown';

/** What is known of a transaction that is under way. */
type TransactionState = { db: Db; atEnd: ((outcome: TransactionOutcome) => void)[] };
// Keyed by Kysely's transaction object, so that an entry disappears with its transaction.
const states = new WeakMap<Db, TransactionState>();

/** Runs an action's changes as one transaction. Within another transaction they become part of that one. */
export async function inTransaction<T>(db: Db, changes: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return changes(db as Trx);
  const state: TransactionState = { db, atEnd: [] };
  let outcome: TransactionOutcome = 'rolled-back';
  try {
    const result = await db.transaction().execute(async (trx) => {
      states.set(trx, state);
      const changed = await changes(trx);
      outcome = 'unknown';
      return changed;
    });
    outcome = 'committed';
    return result;
  } finally {
    if (db instanceof PoolDb) db.transactionsEnded += 1;
    for (const callback of state.atEnd) callback(outcome);
  }
}

const maxAttempts = 4;

/**
 * Runs an action's changes as one transaction, for a caller who waits for the answer. If PostgreSQL ended it to break a deadlock,
 * `changes` runs again from the start. So it may do nothing outside the database, and must load everything that it needs itself.
 */
export async function inRetriedTransaction<T>(db: Db, changes: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, changes);
    } catch (error) {
      if (db.isTransaction || attempt === maxAttempts || !isDeadlock(error)) throw error;
    }
  }
}

/** The database that a transaction of `inTransaction` belongs to. */
export function databaseOf(trx: Trx): Db {
  return stateOf(trx).db;
}

/** Calls back once, as soon as this process knows how the transaction ended. */
export function onTransactionEnd(trx: Trx, callback: (outcome: TransactionOutcome) => void): void {
  stateOf(trx).atEnd.push(callback);
}

function stateOf(trx: Trx): TransactionState {
  const state = states.get(trx);
  if (!state) throw new Error('this transaction was not begun by inTransaction');
  return state;
}

/** How many transactions this process has ended. If it grew since a read, that read may miss a change of our own. */
export function transactionsEnded(db: Db): number {
  return db instanceof PoolDb ? db.transactionsEnded : 0;
}
