import { type Kysely, sql } from 'kysely';

/** An index for the few referrals with an open action for the GP practice, among years of others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index referrals_gp_actions on referrals (referrer_organisation_id, service_organization_id, id desc)
    where content @? '$.gp_actions[*] ? (!exists (@.done_by_hand))'`.execute(db);
}
