import { type Kysely, sql } from 'kysely';

/**
 * Each referral that is added or changed writes every index of the table, and PostgreSQL looks at all of them when it plans a query. These are
 * no longer needed, because another index finds nearly the same rows:
 * - what somebody without an organisation made is little, and `referrals_made_by_account` finds it all;
 * - of the referrals that wait, few have a date of rejection, so `referrals_waiting` finds what `referrals_unwarned` did.
 *
 * Three others are new. A client that reads events of a rare type would else read all later events that it may see. Each page asks what
 * one side has not seen, among tens of thousands of referrals that nobody has opened yet. The page of the keys, and the end of an account,
 * look for its access tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index referrals_made_by_account_due, referrals_made_by_account_service, referrals_made_by_account_status,
      referrals_made_by_account_updated, referrals_unwarned`.execute(db);
  await sql`create index unseen_news_by_side on unseen_news (side, kind) include (referral_id)`.execute(db);
  await sql`create index events_by_type on events (type, position)`.execute(db);
  await sql`create index access_tokens_account on access_tokens (account_id)`.execute(db);
  for (const [index, purpose] of Object.entries(purposes))
    await sql`comment on index ${sql.ref(index)} is ${sql.lit(purpose)}`.execute(db);
}

const purposes = {
  access_tokens_account: 'The page of the keys, and the end of an account.',
  events_by_type:
    'Client systems that read events of a rare type, which are few among all that they may see.',
  referrals_death_reported: 'The few people who are said to have died.',
  referrals_decline_final_at: 'The job that makes declines final.',
  referrals_due: 'Operators: open referrals by when they are due.',
  referrals_gp_actions: 'The referrer: what has to be done for the practice.',
  referrals_made: 'The referrer: all, the newest first.',
  referrals_made_by_account: 'Somebody without an organisation: all that they made, for every list.',
  referrals_made_due: 'The referrer: open referrals by when they are due.',
  referrals_made_service: 'The referrer: those to one service.',
  referrals_made_status: 'The referrer: those with one status, the newest first.',
  referrals_made_unhelped:
    'The referrer: people who were not helped. One whom the same referrer referred again stays, because that referral can be withdrawn.',
  referrals_made_updated: 'The referrer’s client systems: what has changed since they last asked.',
  referrals_names_of_number:
    'Other names that were sent with an NHS number, without reading each referral that has it.',
  referrals_next_date: 'Client systems: what is past its next date.',
  referrals_next_reminder: 'The job that reminds services of a next date.',
  referrals_received: 'The service: all, the newest first.',
  referrals_received_due: 'The service: open referrals by when they are due.',
  referrals_received_gp_actions: 'The service: what has to be done for the practice.',
  referrals_received_service: 'The service’s organisation: those to one of its services.',
  referrals_received_status: 'The service: those with one status, the newest first.',
  referrals_received_updated: 'The service’s client systems: what has changed since they last asked.',
  referrals_rejection: 'The job that rejects what nobody has answered.',
  referrals_reroutes: 'The referral that reroutes another; there is one at most.',
  referrals_restricted: 'The few restricted referrals, which metrics leave out.',
  referrals_same_family:
    'Referrals of somebody with this last name and birth date: duplicates, twins, and searches for a person.',
  referrals_same_name: 'Referrals of the same person by names and birth date.',
  referrals_same_number: 'Referrals of the same person by NHS number.',
  referrals_service:
    'Those to one service: for the service itself and operators, and before a service is deleted.',
  referrals_status: 'Operators: those with one status, the newest first.',
  referrals_to_erase: 'The job that finds records whose time is over.',
  referrals_unreminded: 'The job that reminds services that have not answered.',
  referrals_updated: 'Operators’ client systems: what has changed since they last asked.',
  referrals_waiting: 'The jobs for what nobody has answered for long.',
  referrals_words: 'The search box of the worklists.',
  unseen_news_by_side: 'Worklists and the menu: what one side has not seen.',
};
