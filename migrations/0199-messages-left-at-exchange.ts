import { type Kysely, sql } from 'kysely';

/** While there is no room for unmatched messages, those that stay at the exchange are remembered, and not collected in each round. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mesh_messages_left (
      id text primary key,
      left_at timestamptz not null
    )`.execute(db);
  await sql`
    comment on table mesh_messages_left is
      'The unmatched messages that stay at the NHS exchange, because too many wait here. They are collected again once there is room.'`.execute(
    db,
  );
}
