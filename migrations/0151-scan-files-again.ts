import { type Kysely, sql } from 'kysely';

/**
 * A file that came while the scanner was away is scanned later. A scanner that fails for some files answers for others, so its failures are
 * counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referral_attachments
      add column scan_tried_at timestamptz,
      add column scan_answered_at timestamptz`.execute(db);
  await sql`comment on column referral_attachments.scan_tried_at is
    'When the site last asked the virus scanner again, after it had not answered.'`.execute(db);
  await sql`comment on column referral_attachments.scan_answered_at is
    'When it then answered. A file that opens with a password stays unscanned after that.'`.execute(db);
  await sql`
    create index referral_attachments_to_scan on referral_attachments (scan_tried_at nulls first, id)
    where not scanned and scan_answered_at is null and removed_at is null and content is not null`.execute(
    db,
  );
  await sql`
    alter table connection_troubles
      add column interruptions integer not null default 0,
      add column interrupted_since timestamptz`.execute(db);
  await sql`comment on column connection_troubles.interruptions is
    'How often it failed after it had worked, since interrupted_since; counted for a day.'`.execute(db);
  await sql`comment on column connection_troubles.interrupted_since is
    'The first of the failures that interruptions counts.'`.execute(db);
}
