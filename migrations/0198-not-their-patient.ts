import { type Kysely, sql } from 'kysely';

/** A practice answers that the person is not its patient: the letter goes nowhere else, and the referrer finds out where they are registered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deliveries drop constraint deliveries_refusal_cause_check,
      add constraint deliveries_refusal_cause_check
        check (refusal_cause in ('nhs-number-not-recognised', 'not-their-patient'))`.execute(db);
  await sql`insert into referral_prompt_kinds (kind) values ('not-their-patient')`.execute(db);
}
