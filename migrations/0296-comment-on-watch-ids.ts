import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    comment on column unseen_news.id is
      'The id of the referral, message, life change or file; an id of its own for a correction, a death, an end or words.'`.execute(
    db,
  );
  // The table is older than the column `single`, which says the same of others.
  await sql`comment on column library_version.version is 'Of the only row.'`.execute(db);
}
