import { type Kysely, sql } from 'kysely';

/** Pages that the person cannot open because of another organisation’s referral. The referrer must not learn that there is one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table person_pages add column withheld_at timestamptz`.execute(db);
  await sql`
    comment on column person_pages.withheld_at is
      'Since when no code or email is sent for it, because another organisation’s referral says that messages are not safe. Its staff see it as before.'`.execute(
    db,
  );
}
