import { type Kysely, sql } from 'kysely';

/** A new service whose words suggest that it is sensitive is marked so, until somebody has confirmed that or taken it back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service_referral_settings add column marked_by_words boolean not null default false`.execute(
    db,
  );
  await sql`
    comment on column service_referral_settings.marked_by_words is
      'It is marked as sensitive because of its words, and nobody has confirmed that yet.'`.execute(db);
}
