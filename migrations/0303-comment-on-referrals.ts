import { type Kysely, sql } from 'kysely';

/** The columns of `referrals` whose name does not tell what they hold; docs/schema.md shows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, meaning] of Object.entries(meanings))
    await sql`comment on column referrals.${sql.ref(column)} is ${sql.lit(meaning)}`.execute(db);
}

const meanings = {
  status_reason:
    'Why it has its present status: a code, and mostly a text. Null if the last change of status gave no reason.',
  version: 'Grows when the status or what was referred changes. Not with contacts, messages or measures.',
  version_at: 'When its present version was made. Retention counts from it, once the referral has ended.',
  updated_at:
    'When anything last changed that clients must read again: also contacts, measures, messages, files, restrictions and holds.',
  simulated: 'Made on a test site: the person is made up, and nothing leaves the site.',
  outcome: 'What came of it once it is completed: a code, a text and measures at the end.',
  due_at: 'When the service should have answered. It stays after the answer.',
  reminded_at: 'When the service was reminded, once, that it has not answered.',
  resolved_at: 'When the referrer said that a person whom the service could not help was helped another way.',
  resolved_by: 'The name of who said so.',
  death_reported_at: 'Null again once the report is taken back.',
  held_at:
    'Since when it is on legal hold: nothing erases it. Null if it is not. The table referral_holds has who and why.',
  first_contact_at: 'When staff of the service first reached the person. Null until they log such a contact.',
};
