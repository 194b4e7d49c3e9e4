import { type Kysely, sql } from 'kysely';

/** What the site cannot keep whole stays at the exchange, and who resolves a message has read it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mesh_messages add column kept_whole boolean`.execute(db);
  await sql`comment on column mesh_messages.kept_whole is 'False: only a part is kept, so the message was not acknowledged. Null: understood, or from before this was noted.'`.execute(
    db,
  );
  await sql`
    create table unmatched_reads (
      item_id uuid not null references unmatched_items (id) on delete cascade,
      account_id uuid not null references accounts (id),
      read_at timestamptz not null,
      primary key (item_id, account_id)
    )`.execute(db);
  await sql`comment on table unmatched_reads is 'Which operators have read an unmatched message. Only they may mark it as resolved.'`.execute(
    db,
  );
}
