import { type Kysely, sql } from 'kysely';

/** What people say who may be in danger now. “Suicide” itself is not among them: those who lost somebody search for that. */
const sayings = [
  ...[
    'suicidal',
    'wants to die',
    'want to die',
    'end it all',
    'end her life',
    'end his life',
    'doesnt want to live',
  ],
  ...['self harm', 'self harming', 'cutting herself', 'cutting himself', 'overdose', 'in crisis'],
];

/** Otherwise a search for “want to die” begins with groups for people who lost somebody to suicide. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    with removed as (
      delete from search_synonyms where saying = any(${sayings}::text[]) and meaning = 'suicide' returning saying)
    insert into search_synonyms (saying, meaning) select saying, 'suicide prevention' from removed
    on conflict do nothing`.execute(db);
  await sql`insert into search_words values ('prevention') on conflict do nothing`.execute(db);
}
