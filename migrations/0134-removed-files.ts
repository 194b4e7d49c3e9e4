import { type Kysely, sql } from 'kysely';

/**
 * A file that was attached by mistake is removed: its content and name are deleted, and the row says who removed it, when and why. The side
 * that attached it is stored, because the organisations of its author and of the referral may change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referral_attachments
      alter column content drop not null,
      add column side text check (side in ('provider', 'referrer')),
      add column opened_at timestamptz,
      add column removed_at timestamptz,
      add column removed_by_name text,
      add column removed_by_organisation text,
      add column removal_reason jsonb,
      add check (removed_at is not null or content is not null),
      add check ((removed_at is null) = (removal_reason is null) and (removed_at is null) = (removed_by_name is null))`.execute(
    db,
  );
  await sql`
    update referral_attachments a
    set side = case when a.author_id = r.referrer_account_id or a.author_organisation_id = r.referrer_organisation_id
        or exists (select from accounts p where p.id = a.author_id and p.organisation_id = r.referrer_organisation_id)
        then 'referrer' else 'provider' end,
      opened_at = (
        select min(e.at) from audit_entries e
        where e.subject_id = r.id::text and e.action = 'referral.attachment_read'
          and e.details ->> 'attachment' = a.id::text and e.actor_id is distinct from a.author_id)
    from referrals r where r.id = a.referral_id`.execute(db);
  await sql`alter table referral_attachments alter column side set not null`.execute(db);
  const comments: Readonly<Record<string, string>> = {
    side: 'The side that attached it.',
    opened_at: 'When somebody of the other side first opened it.',
    content: 'Null once it was removed; kept while the referral is on legal hold.',
    removal_reason: 'A code and words.',
  };
  for (const [column, comment] of Object.entries(comments))
    await sql`comment on column ${sql.ref(`referral_attachments.${column}`)} is ${sql.lit(comment)}`.execute(
      db,
    );
}
