import { type Kysely, sql } from 'kysely';

/** An erasure before a month is published no longer changes its figures: what they count is kept until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report_facts add column kept_until_published boolean not null default false`.execute(db);
  await sql`create index report_facts_kept on report_facts (sent_on) where kept_until_published`.execute(db);
  await sql`comment on column report_facts.kept_until_published is
    'The referral was erased. Until its month and all earlier ones are published, the row keeps what their figures count.'`.execute(
    db,
  );
  await sql`comment on column report_facts.person is
    'The first 8 bytes of the keyed hash of the person’s name and birth date, as a number. Null once it is erased and its month published.'`.execute(
    db,
  );
}
