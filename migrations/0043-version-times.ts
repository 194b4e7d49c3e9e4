import { type Kysely, sql } from 'kysely';

/**
 * `updated_at` moves with everything that clients must read again: also with a restriction, an erasure, a message or a file. Retention,
 * letters and reminders count from `version_at`, when the present version was made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column version_at timestamptz`.execute(db);
  await sql`
    update referrals set version_at = updated_at,
      updated_at = greatest(updated_at, restricted_at, held_at, erased_at, resolved_at,
        (select max(at) from referral_messages m where m.referral_id = referrals.id),
        (select max(at) from referral_attachments a where a.referral_id = referrals.id))`.execute(db);
  await sql`alter table referrals alter column version_at set not null`.execute(db);
  await sql`drop index referrals_to_erase`.execute(db);
  await sql`
    create index referrals_to_erase on referrals (version_at)
      where erased_at is null and status in ('draft', 'completed', 'rejected', 'failed', 'cancelled', 'entered-in-error')`.execute(
    db,
  );
}
