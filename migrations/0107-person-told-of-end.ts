import { type Kysely, sql } from 'kysely';

/** When the person was emailed that an ending by link is final. Those that are over already stay untold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table answer_links add column person_told_at timestamptz`.execute(db);
  await sql`
    comment on column answer_links.person_told_at is 'When the person was emailed that an ending by the link is final.'`.execute(
    db,
  );
  await sql`update answer_links set person_told_at = ended_at where ended_at < now() - interval '24 hours'`.execute(
    db,
  );
  await sql`
    create index answer_links_to_tell on answer_links (ended_at)
      where ended_at is not null and checked_at is null and person_told_at is null`.execute(db);
}
