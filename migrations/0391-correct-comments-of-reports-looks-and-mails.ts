import { type Kysely, sql } from 'kysely';

/** For docs/schema.md: comments that were no longer true, because later migrations had changed what the rows and indexes are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, words] of Object.entries(tables))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(words)}`.execute(db);
  for (const [column, words] of Object.entries(columns))
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(words)}`.execute(db);
  for (const [index, words] of Object.entries(indexes))
    await sql`comment on index ${sql.ref(index)} is ${sql.lit(words)}`.execute(db);
}

const tables = {
  library_imports:
    'Imports that operators started on the page, that the schedule of a feed started or that the command line ran, and their results.',
  mails:
    'Emails and texts of the site. Recipient, subject and text are sealed, because they hold links that open accounts.',
} as const;

const columns = {
  'report_facts.journey_person_helped':
    'Whether the person said last that they got help, of the latest referral of the journey that they said anything of.',
  'library_imports.account_id':
    'The operator who started it; for a scheduled one, who set up the schedule; all zeros if the command line ran it.',
  'looks_in_lists.organisation_id': 'The organisation whose copy was taken or sent; null for a list.',
  'looks.found': 'How many referrals a search found, or 1 for one that was opened.',
  'mails.sealed': 'Recipient, subject and text. Removed once the email or text is sent, given up or dropped.',
  'questionnaire_desks.is_on':
    'Whether an operator switched it on. Even then nobody is asked while the owner or the deputy cannot sign in.',
} as const;

const indexes = {
  referrals_gp_actions: 'The referrer: what the GP practice still has to do.',
  referrals_received_gp_actions: 'The service: what the GP practice still has to do.',
} as const;
