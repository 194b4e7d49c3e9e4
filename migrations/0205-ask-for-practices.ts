import { type Kysely, sql } from 'kysely';

/** An operator asks the referrer by one button which GP practice a letter is for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table worklist add column practice_asked_at timestamptz`.execute(db);
  await sql`comment on column worklist.practice_asked_at is
    'When an operator last asked the referrer to name the GP practice.'`.execute(db);
  await sql`insert into referral_prompt_kinds (kind) values ('practice-missing')`.execute(db);
}
