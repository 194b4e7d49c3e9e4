import { type Kysely, sql } from 'kysely';

/** Finds the few referrals with something that a GP practice has to do and nobody has closed by hand, among years of others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index referrals_gp_actions on referrals (referrer_organisation_id, service_organization_id, id desc)
    where content @? '$.gp_actions[*] ? (!exists (@.done_by_hand))'`.execute(db);
}
