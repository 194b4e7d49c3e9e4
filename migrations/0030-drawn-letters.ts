import { type Kysely, sql } from 'kysely';

/**
 * A captured message keeps what its letter says instead of the letter: drawing one takes longer than everything else
 * about a message, and nearly none is ever opened. Those that were drawn stay as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table captured_messages add column letter jsonb`.execute(db);
}
