import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether the outside provider vouches for the person: the provider decides which factors to ask for.
  await sql`alter table sessions add column through_provider boolean not null default false`.execute(db);
  // Sessions from before last twelve hours at most; the audit says how each began.
  await sql`
    update sessions s set through_provider = true where exists (
      select from audit_entries e
      where e.subject_type = 'session' and e.subject_id = s.id::text and e.action = 'session.started'
        and e.details ->> 'method' = 'openid-connect')`.execute(db);
}
