import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** One file a room, in the order in which tables refer to each other. */
const rooms = [
  'platform',
  'audit',
  'accounts',
  'tokens',
  'library',
  'exchange',
  'search',
  'referrals',
  'delivery',
  'events-and-webhooks',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const room of rooms) {
    await sql.raw(await readFile(join(import.meta.dirname, `${room}.sql`), 'utf8')).execute(db);
  }
  await addFirstSynonyms(db);
}

/** Adds the first synonyms of a new site, and adds their words to the list of correctly spelt ones. */
async function addFirstSynonyms(db: Kysely<unknown>): Promise<void> {
  const pairs = await readFirstSynonyms();
  await sql`
    insert into search_synonyms (saying, meaning)
    select * from unnest(${pairs.map(([saying]) => saying)}::text[], ${pairs.map(([, meaning]) => meaning)}::text[])`.execute(
    db,
  );
  await sql`
    insert into search_words
    select distinct word from search_synonyms cross join string_to_table(saying, ' ') as word
    where word ~ '^[a-z]{4,30}$' on conflict do nothing`.execute(db);
  await sql`analyze search_synonyms, search_words`.execute(db);
}

/** Each line of the file, with the indented lines below it, is a list of sayings, ` = `, and a list of what all of them mean. */
async function readFirstSynonyms(): Promise<(readonly [string, string])[]> {
  const text = (await readFile(join(import.meta.dirname, 'sayings.txt'), 'utf8')).trim();
  return text.split(/\n(?! )/).flatMap((line) => {
    const [sayings = [], meanings = []] = line
      .split(/\s=\s/)
      .map((side) => side.split(',').map((each) => each.trim().replace(/\s+/g, ' ')));
    return sayings.flatMap((saying) => meanings.map((meaning) => [saying, meaning] as const));
  });
}
