import { type Kysely, sql } from 'kysely';

/** The prompt of open referrals to a service that takes no more referrals on this site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into referral_prompt_kinds (kind) values ('service-stopped')`.execute(db);
}
