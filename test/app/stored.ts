import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

// What the database holds about the systems that the site connects to.

/** As if every system that the site connects to worked. */
export async function deleteConnectionFailures(db: Db): Promise<void> {
  await db.deleteFrom('connection_troubles').execute();
}

/** As if the site had last tried the systems that do not work this many minutes earlier. */
export async function backdateConnectionFailures(db: Db, minutes: number): Promise<void> {
  await db
    .updateTable('connection_troubles')
    .set({ tried_at: sql`tried_at - make_interval(mins => ${minutes}::int)` })
    .execute();
}
