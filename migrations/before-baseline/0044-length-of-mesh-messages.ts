import { type Kysely, sql } from 'kysely';

/** How long a message was: only the beginning of a long message that was not understood is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mesh_messages add column length bigint not null default 0`.execute(db);
  await sql`update mesh_messages set length = octet_length(body)`.execute(db);
}
