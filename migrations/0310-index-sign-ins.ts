import { type Kysely, sql } from 'kysely';

/** Operators see in the list of accounts when each was last used to sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index audit_entries_sign_ins on audit_entries (actor_id, at)
    where action = 'session.started' and outcome = 'done'`.execute(db);
}
