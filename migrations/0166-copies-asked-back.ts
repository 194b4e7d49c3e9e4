import { type Kysely, sql } from 'kysely';

/** A copy of a record that was handed out is asked back when a file in it turns out to be about somebody else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table record_copies
      -- When a file that it has was removed after it was handed out.
      add column file_removed_at timestamptz,
      -- When an operator said that it was asked back.
      add column asked_back_at timestamptz,
      add column asked_back_by_name text,
      add constraint record_copies_asked_back_check check ((asked_back_at is null) = (asked_back_by_name is null))`.execute(
    db,
  );
  await sql`comment on column record_copies.file_removed_at is 'When a file that it has was removed after it was handed out.'`.execute(
    db,
  );
  await sql`comment on column record_copies.asked_back_at is 'When an operator said that the copy was asked back, because a file in it was removed.'`.execute(
    db,
  );
}
