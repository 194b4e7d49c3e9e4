import { type Kysely, sql } from 'kysely';

/** The prompt for the referrer after a message to the service could not be delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into referral_prompt_kinds (kind) values ('service-not-told')`.execute(db);
}
