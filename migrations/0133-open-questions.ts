import { type Kysely, sql } from 'kysely';

/** A question of one side waits for the other until that has written, or somebody of it has said that it needs no answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table open_questions (
      referral_id uuid not null references referrals,
      side text not null check (side in ('provider', 'referrer')),
      message_id uuid not null,
      at timestamptz not null,
      primary key (referral_id, side))`.execute(db);
  await sql`comment on table open_questions is 'Messages with a question that nobody has answered yet.'`.execute(
    db,
  );
  await sql`comment on column open_questions.side is 'The side that was asked.'`.execute(db);
}
