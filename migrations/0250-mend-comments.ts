import { type Kysely, sql } from 'kysely';

// These had become untrue, or used words that the glossary has for something else.

const tables: Readonly<Record<string, string>> = {
  accounts: 'People who sign in, and system accounts.',
  delivery_attempts: 'Each attempt to send a delivery and its outcome, and each later report about it.',
  end_measures_due: 'Referrals measured at the start and not yet at the end, and whom we reminded.',
  job_turns: 'For which scheduled time each job was last added to the queue.',
  referral_dangers:
    'Referrals that were sent and tell of a danger: somebody is at risk of harm, their words mention a crisis, or contact is not safe.',
  referral_history: 'Every version of a referral: what changed, and who changed it.',
  referral_news: 'News of referrals that waits to be emailed.',
  refresh_tokens: 'One row for each pair of keys: the first pair of an account, and each named key.',
  unseen_news: 'What one side must still see or act on. The row goes when they have.',
  webhook_attempts: 'Each attempt to post a message, and its outcome.',
  worklist: 'Undelivered messages: a delivery has a row from its first failure on, open or closed.',
};

const columns: Readonly<Record<string, string>> = {
  'connection_troubles.ended_at': 'Null while it does not work.',
  'connection_troubles.kind':
    'refuses: it does not accept this site. away: it is unreachable, or reports a fault of its own.',
  'job_turns.last_turn':
    'That scheduled time. For a job that is new here: the last one before it, for which it was not added.',
  'mesh_messages.kept_whole':
    'False: only a part is kept, so the message was not acknowledged. Null: matched, or from before this was recorded.',
  'mesh_messages.length': 'The length of what was collected; body may be shorter.',
  'unseen_news.side': 'The side that must see it or act on it.',
};

/** Tables of one row, whose column had another name each. Code names none of these, so an older process works meanwhile. */
const tablesOfOneRow = [
  ['localhost_return', 'allowed'],
  ['postcode_deciles', 'only_one'],
  ['report_progress', 'only_one'],
] as const;

/** Makes the descriptions of tables true again, and calls the column of a table of one row `single`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, words] of Object.entries(tables))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(words)}`.execute(db);
  for (const [column, words] of Object.entries(columns))
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(words)}`.execute(db);
  for (const [table, column] of tablesOfOneRow)
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(column)} to single`.execute(db);
}
