import { type Kysely, sql } from 'kysely';

/** What an operator looks into: a referral of somebody who is said to have died, and one that nobody of the service can answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_death_warnings (
      referral_id uuid primary key references referrals on delete cascade,
      -- What was told before the referral was made, about another referral of the person.
      report_id uuid not null,
      -- The service where it was told too; otherwise the operators.
      side text not null check (side in ('provider', 'operators'))
    )`.execute(db);
  await sql`
    alter table referral_prompts drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'practice-closed',
        'referrer-left', 'staff-left', 'nobody-left', 'may-have-died')),
      drop constraint referral_prompts_side_check,
      add constraint referral_prompts_side_check check (side in ('provider', 'referrer', 'operators'))`.execute(
    db,
  );
}
