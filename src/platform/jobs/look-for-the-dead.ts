import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../database/index.ts';

/**
 * A look at every worker, other than `ownName`, that has jobs locked: is its presence lock (see be-present.ts) there?
 * The jobs of those that had none at this look and the one before are freed: the connection of a live worker may be
 * broken for a moment, and its jobs must not be run twice for that.
 */
export function lookForTheDead(db: Db, ownName: string): () => Promise<void> {
  let missingBefore: readonly string[] = [];
  return async () => {
    const suspects = missingBefore;
    // After a look that fails, because the database is away, everybody has to be missed twice again.
    missingBefore = [];
    missingBefore = await inTransaction(db, async (trx) => {
      const missing = await findMissing(trx, ownName);
      const dead = missing.filter((name) => suspects.includes(name));
      if (dead.length > 0) await freeJobs(trx, dead);
      return missing.filter((name) => !dead.includes(name));
    });
  };
}

/** Holds the locks of those it finds until the transaction ends, so that none of them returns meanwhile. */
async function findMissing(trx: Trx, ownName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with holders as materialized (
      select distinct locked_by as name from graphile_worker.jobs where locked_by <> ${ownName})
    select name from holders where pg_try_advisory_xact_lock(hashtextextended(name, 0))`.execute(trx);
  return rows.map(({ name }) => name);
}

async function freeJobs(trx: Trx, names: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(array(select json_array_elements_text(${JSON.stringify(names)}::json)))`.execute(
    trx,
  );
  // What the queue itself sends for new jobs, so that nobody waits for the next poll. @see graphile-worker sql/000018
  await sql`select pg_notify('jobs:insert', '{"count":100}')`.execute(trx);
}
