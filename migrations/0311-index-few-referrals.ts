import { type Kysely, sql } from 'kysely';

/**
 * Indexes for the few restricted referrals, which the metrics count deliveries without, and for the few of a service's own that have an open
 * action for the GP practice: the index of 0015 begins with the referrer's organisation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index referrals_restricted on referrals (id) where restricted_at is not null`.execute(db);
  await sql`
    create index referrals_received_gp_actions on referrals (service_organization_id, id desc)
    where content @? '$.gp_actions[*] ? (!exists (@.done_by_hand))'`.execute(db);
}
