import { type Kysely, sql } from 'kysely';

/**
 * Names of tables and columns that were not the words of the code. Three tables were called news, and held three things: what is watched,
 * emails that wait, and letters that wait.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [from, to] of tables) {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
    await renameConstraintsAndIndexes(db, from, to);
  }
  for (const [table, from, to] of columns)
    await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
  await sql`alter view practice_letters rename column recipient_code to receiver_code`.execute(db);
  for (const [table, words] of Object.entries(meanings))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(words)}`.execute(db);
}

const tables = [
  ['unseen_news_kinds', 'watch_kinds'],
  ['unseen_news', 'watches'],
  ['referral_news', 'pending_notifications'],
  ['practice_news', 'letters_to_renew'],
  ['looks_to_check', 'unusual_access'],
  ['number_tries', 'number_attempts'],
  ['alarming_answers', 'worrying_answers'],
] as const;

const columns = [
  ['deliveries', 'recipient_name', 'receiver_name'],
  ['deliveries', 'recipient_code', 'receiver_code'],
  ['sessions', 'through_provider', 'with_openid'],
  ['sign_in_steps', 'tries_left', 'attempts_left'],
  ['answer_links', 'code_tries', 'code_attempts'],
  ['person_pages', 'code_tries', 'code_attempts'],
  ['referrals', 'held_at', 'legal_hold_at'],
  ['self_referrals', 'answer_by', 'ring_by'],
  ['self_referrals', 'said', 'details'],
  ['self_referral_desk', 'is_open', 'is_on'],
  ['record_copy_marks', 'place', 'path'],
] as const;

const meanings: Readonly<Record<string, string>> = {
  watches: 'What one side of a referral must still see or act on. The row goes when they have.',
  watch_kinds: 'The kinds of watches. A migration adds a row for a new kind.',
  pending_notifications: 'News of referrals that waits to be emailed.',
  letters_to_renew:
    'Ended referrals whose GP practice may get another letter, because the person said something on their page, or a measure was added.',
  unusual_access: 'Unusual access, which looks and looks_in_lists show, and what came of its review.',
  questionnaire_desks:
    'Who looks into the worrying answers of an organisation, and which questionnaires its people are asked.',
};

/**
 * Otherwise errors, and docs/schema.md, would still have the old name of the table. Names that came of a renamed column stay, such as that of
 * `referrals_held_not_erased`: they still tell what is checked.
 */
async function renameConstraintsAndIndexes(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  const { rows: constraints } = await sql<{ name: string }>`
    select conname as name from pg_constraint where conrelid = ${to}::regclass and starts_with(conname, ${from})`.execute(
    db,
  );
  for (const { name } of constraints) {
    const newName = name.replace(from, to);
    await sql`alter table ${sql.table(to)} rename constraint ${sql.ref(name)} to ${sql.ref(newName)}`.execute(
      db,
    );
  }
  // Those of constraints have their new name by now.
  const { rows: indexes } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where tablename = ${to} and starts_with(indexname, ${from})`.execute(
    db,
  );
  for (const { name } of indexes)
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(name.replace(from, to))}`.execute(db);
}
