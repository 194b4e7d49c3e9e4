import { type Kysely, sql } from 'kysely';

/** A service without an account can ask the referrer to ring it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_messages add column asks_to_ring boolean not null default false`.execute(db);
  await sql`create index referral_messages_to_ring on referral_messages (referral_id) where asks_to_ring`.execute(
    db,
  );
  await sql`
    alter table referral_prompts
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'service-sensitive',
        'practice-closed', 'referrer-left', 'staff-left', 'nobody-left', 'may-have-died', 'death-reported', 'draft-waiting',
        'person-wants-to-stop', 'person-not-helped', 'service-asks-to-ring', 'alarming-answer',
        'end-measure-due'))`.execute(db);
}
