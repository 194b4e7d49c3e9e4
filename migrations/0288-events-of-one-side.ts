import { type Kysely, sql } from 'kysely';

/** A prompt is for one side of a referral, and so is the event that tells of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table new_events add column side text`.execute(db);
  await sql`
    comment on column new_events.side is
      'The only side of the referral that may see the event: referrer or provider, or operators for neither. Null for both sides.'`.execute(
    db,
  );
}
