import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { type Db, inTransaction, type Trx } from './connect.ts';

/** A restore that has begun: of which backup, and whether its rows are in the tables. */
type RestoreMark = { madeAt: string; loaded: boolean };

/** Undefined where no restore is under way. It also reads a database without tables. */
export async function findRestoreMark(db: Db): Promise<RestoreMark | undefined> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('onward_restore') is not null as there`.execute(db);
  if (!tables[0]!.there) return undefined;
  const { rows } = await sql<RestoreMark>`select made_at as "madeAt", loaded from onward_restore`.execute(db);
  return rows[0];
}

/** Marks the database before anything is made in it. */
export async function markRestore(db: Db, madeAt: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`create table onward_restore (made_at text not null, loaded boolean not null)`.execute(trx);
    await sql`insert into onward_restore (made_at, loaded) values (${madeAt}, false)`.execute(trx);
  });
}

export async function removeRestoreMark(trx: Trx): Promise<void> {
  await sql`drop table onward_restore`.execute(trx);
}

/**
 * Tables without their rows look like a new site, which would begin with nobody's referrals.
 * @throws StartupError where a restore runs, or was cut off.
 */
export async function requireWholeRestore(db: Db): Promise<void> {
  const mark = await findRestoreMark(db);
  if (!mark) return;
  throw new StartupError(
    `A restore into this database was cut off, or is still running. Run it again with the same backup (of ${mark.madeAt}): ` +
      'npm run -s onward -- restore FILE',
  );
}
