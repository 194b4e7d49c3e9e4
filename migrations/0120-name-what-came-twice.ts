import { type Kysely, sql } from 'kysely';

/** A self-referral that is closed as sent twice names the other one, so that one of them always stays for somebody to ring. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table self_referrals
      add column same_as_id uuid references self_referrals on delete set null`.execute(db);
  await sql`create index self_referrals_by_same_as on self_referrals (same_as_id) where same_as_id is not null`.execute(
    db,
  );
  await sql`
    comment on column self_referrals.same_as_id is
      'Of one that was closed because it came twice: the other one of the same person, which stayed.'`.execute(
    db,
  );
}
