import { sql } from 'kysely';
import { StartupError } from '../process/startup-error.ts';
import type { Db, Trx } from './connect.ts';
import { tableExists } from './table-exists.ts';
import { inTransaction } from './transaction.ts';

/** A restore that has begun and is not complete. */
type RestoreInProgress = {
  /** When the backup was made, by which it is recognised. */
  madeAt: string;
  /** Whether its rows are in the tables. */
  loaded: boolean;
  /** The id of the site that is being moved here, if one is. */
  movedSite: string | null;
};

/** Undefined if no restore is under way. It also reads a database without tables. */
export async function findRestoreInProgress(db: Db): Promise<RestoreInProgress | undefined> {
  if (!(await tableExists(db, 'onward_restore'))) return undefined;
  // A mark of an earlier version lacks the column.
  const { rows } = await sql<RestoreInProgress>`
    select made_at as "madeAt", loaded, to_jsonb(onward_restore) ->> 'moved_site' as "movedSite"
    from onward_restore`.execute(db);
  return rows[0];
}

/** Marks the database before anything is made in it. */
export async function markRestore(db: Db, madeAt: string, movedSite: string | null = null): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`create table onward_restore (made_at text not null, loaded boolean not null, moved_site text)`.execute(
      trx,
    );
    await sql`
      insert into onward_restore (made_at, loaded, moved_site) values (${madeAt}, false, ${movedSite})`.execute(
      trx,
    );
  });
}

/** Restarts a move that was interrupted. All rows are loaded again, because the site may have changed since. */
export async function renewRestoreMark(db: Db, madeAt: string): Promise<void> {
  await sql`update onward_restore set made_at = ${madeAt}, loaded = false`.execute(db);
}

export async function removeRestoreMark(trx: Trx): Promise<void> {
  await sql`drop table onward_restore`.execute(trx);
}

/**
 * Empty tables look like a new site: it would start without any referrals.
 * @throws StartupError if a restore or move runs, or was interrupted.
 */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const mark = await findRestoreInProgress(db);
  if (!mark) return;
  throw new StartupError(
    mark.movedSite === null
      ? `A restore into this database was cut off, or is still running. Run it again with the same backup (of ${mark.madeAt}): ` +
          'npm run -s onward -- restore FILE'
      : `A move of site ${mark.movedSite} into this database was cut off, or is still running. Run it again, without ` +
          'ONWARD_DATABASE_URL: npm run -s onward -- database move URL',
  );
}
