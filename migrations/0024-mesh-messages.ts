import { type Kysely, sql } from 'kysely';

/** What came from the NHS message exchange, kept before the exchange may forget it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mesh_messages (
      id text primary key,
      type text not null check (type in ('DATA', 'REPORT')),
      workflow text not null,
      headers jsonb not null,
      body bytea not null,
      received_at timestamptz not null,
      -- When what it says had been told; null for one that a kill came before.
      taken_at timestamptz,
      -- Whether it was about something that this site had sent.
      understood boolean
    )`.execute(db);
}
