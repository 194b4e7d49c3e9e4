import { type Kysely, sql } from 'kysely';

/** Referrals that ended without help and on which nobody has acted, for the counts on every page of those who made them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isUnresolved = sql`status in ('rejected', 'failed', 'cancelled') and resolved_at is null`;
  await sql`
    create index referrals_made_unhelped on referrals (referrer_organisation_id, id desc) where ${isUnresolved}`.execute(
    db,
  );
  await sql`
    create index referrals_made_by_account_unhelped on referrals (referrer_account_id, id desc)
      where ${isUnresolved} and referrer_organisation_id is null`.execute(db);
}
