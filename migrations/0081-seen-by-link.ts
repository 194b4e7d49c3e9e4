import { type Kysely, sql } from 'kysely';

/** Whether the first who saw a referral had the link in a message. Until now only the name of the service after theirs told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column seen_by_link boolean not null default false`.execute(db);
  await sql`
    update referrals set seen_by_link = true
    where right(seen_by_name, length(service_name) + 2) = ', ' || service_name`.execute(db);
}
