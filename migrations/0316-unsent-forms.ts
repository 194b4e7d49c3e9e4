import { type Kysely, sql } from 'kysely';

/** Somebody who has to sign in again before a sensitive action finds the form as they had filled it in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unsent_forms (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      sealed bytea not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index unsent_forms_account_id on unsent_forms (account_id)`.execute(db);
  await sql`create index unsent_forms_expires_at on unsent_forms (expires_at)`.execute(db);
  const comments: Readonly<Record<string, string>> = {
    'table unsent_forms':
      'Forms that arrived more than 15 minutes after the sign-in that they need, until their writer has signed in again.',
    'column unsent_forms.sealed':
      'What was typed and chosen, without passwords, codes and files; encrypted for the account.',
  };
  for (const [what, words] of Object.entries(comments))
    await sql`comment on ${sql.raw(what)} is ${sql.lit(words)}`.execute(db);
}
