import { type Kysely, sql } from 'kysely';

/** A file is news like a message: people who have not seen it are told, and who attached it reads who opened it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_attachments add column opened_by_name text`.execute(db);
  await sql`
    comment on column referral_attachments.opened_by_name is
      'The first person of the other side who opened it. Null for a file that only a system has fetched, or that was opened before this was kept.'`.execute(
    db,
  );
  await sql`alter table referral_readings add column last_attachment_id uuid`.execute(db);
  await sql`
    comment on table referral_readings is
      'The last message, the last file, and the last version of the referral, that an account has read.'`.execute(
    db,
  );
  // People who have looked at a referral before are not told of its old files.
  await sql`
    update referral_readings r
    set last_attachment_id = (
      select a.id from referral_attachments a where a.referral_id = r.referral_id order by a.id desc limit 1)`.execute(
    db,
  );
}
