import { type Kysely, sql } from 'kysely';

const whose = ['', 'the ', 'my ', 'her ', 'his ', 'their '];
const sayings = [
  ...['behind with', 'behind on', 'cant pay', 'cannot pay', 'cant afford', 'cannot afford'].flatMap((said) =>
    whose.map((each) => `${said} ${each}rent`),
  ),
  ...[
    'rent arrears',
    'rent debt',
    'owes rent',
    'owing rent',
    'struggling to pay rent',
    'struggling with rent',
  ],
  'struggling to pay the rent',
];
const meanings = ['debt advice', 'rent arrears', 'debt'];

/** “Rent” alone means housing, but somebody who owes rent needs advice about money first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into search_synonyms (saying, meaning)
    select saying, meaning from unnest(${sayings}::text[]) as saying cross join unnest(${meanings}::text[]) as meaning
    on conflict do nothing`.execute(db);
  await sql`
    insert into search_words
    select distinct word from unnest(${sayings}::text[]) as saying cross join string_to_table(saying, ' ') as word
    where word ~ '^[a-z]{4,30}$' on conflict do nothing`.execute(db);
}
