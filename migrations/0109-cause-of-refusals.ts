import { type Kysely, sql } from 'kysely';

/** Why a carrier refused a message, if the referrer can find out what is wrong, and the prompt that asks them to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deliveries add column refusal_cause text
      constraint deliveries_refusal_cause_check check (refusal_cause in ('nhs-number-not-recognised'))`.execute(
    db,
  );
  await sql`
    comment on column deliveries.refusal_cause is
      'Why a carrier refused it, if the referrer can check that with the person. Null once the receiver has it.'`.execute(
    db,
  );
  await sql`
    create index deliveries_refused_for_cause on deliveries (refusal_cause, referral_id) where refusal_cause is not null`.execute(
    db,
  );
  await sql`insert into referral_prompt_kinds (kind) values ('nhs-number-not-recognised')`.execute(db);
}
