import { type Kysely, sql } from 'kysely';

/** Holders of keys are told of what ends, so the site remembers which key uses it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deprecated_uses (
      account_id uuid not null references accounts on delete cascade,
      key_id uuid references refresh_tokens on delete cascade,
      deprecated text not null,
      last_call text not null,
      last_used_on date not null,
      told_at timestamptz,
      unique nulls not distinct (account_id, key_id, deprecated)
    )`.execute(db);
  await sql`create index deprecated_uses_key_id on deprecated_uses (key_id)`.execute(db);
  const comments: Readonly<Record<string, string>> = {
    'table deprecated_uses':
      'What each key uses of the API that will end, so that its holder is told. Nothing of what was sent.',
    'column deprecated_uses.key_id': 'Null for the first pair.',
    'column deprecated_uses.deprecated':
      'The id of what is deprecated, in `src/platform/http/deprecation.ts`.',
    'column deprecated_uses.last_call': 'The method and route of the first such call on that day.',
    'column deprecated_uses.told_at': 'When the holder last got an email about it. Null before the first.',
  };
  for (const [what, words] of Object.entries(comments))
    await sql`comment on ${sql.raw(what)} is ${sql.lit(words)}`.execute(db);
}
