import { type Kysely, sql } from 'kysely';

/**
 * The kinds of prompts in a table, to which a later migration adds one row. They were a list in a constraint that each
 * migration wrote whole: of two that land out of order, the one that runs last would have dropped a kind of the other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table referral_prompt_kinds (kind text primary key)`.execute(db);
  await sql`comment on table referral_prompt_kinds is 'The kinds of prompts. A migration adds a row for a new one.'`.execute(
    db,
  );
  await sql`
    insert into referral_prompt_kinds (kind) values ('service-closed'), ('service-moved'), ('service-sensitive'),
      ('practice-closed'), ('referrer-left'), ('staff-left'), ('nobody-left'), ('may-have-died'), ('death-reported'),
      ('draft-waiting'), ('person-wants-to-stop'), ('person-not-helped'), ('service-asks-to-ring'), ('alarming-answer'),
      ('end-measure-due')`.execute(db);
  await sql`
    alter table referral_prompts
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind foreign key (kind) references referral_prompt_kinds`.execute(db);
}
