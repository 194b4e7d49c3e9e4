import { type Kysely, sql } from 'kysely';

/**
 * A practice answers that the person is not its patient: the letter goes nowhere else, and the referrer finds out where they are registered.
 * The causes become a table, to which a later migration adds one row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table refusal_causes (cause text primary key)`.execute(db);
  await sql`comment on table refusal_causes is
    'Why a carrier or a practice refuses a letter. A migration adds a row for a new cause.'`.execute(db);
  await sql`insert into refusal_causes (cause) values ('nhs-number-not-recognised'), ('not-their-patient')`.execute(
    db,
  );
  await sql`
    alter table deliveries drop constraint deliveries_refusal_cause_check,
      add constraint deliveries_refusal_cause foreign key (refusal_cause) references refusal_causes`.execute(
    db,
  );
  await sql`insert into referral_prompt_kinds (kind) values ('not-their-patient')`.execute(db);
}
