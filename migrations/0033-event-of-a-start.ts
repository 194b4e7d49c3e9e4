import { type Kysely, sql } from 'kysely';

/** Every event of a referral's status is called as the status is; that of a start had a name of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['events', 'new_events'])
    await sql`
      update ${sql.table(table)} set type = 'referral.in-progress' where type = 'referral.started'`.execute(
      db,
    );
  await sql`
    update webhooks set event_types = array_replace(event_types, 'referral.started', 'referral.in-progress')
    where 'referral.started' = any(event_types)`.execute(db);
}
