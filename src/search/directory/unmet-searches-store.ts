import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Counts one search for these needs in a district. @param month its first day, such as 2026-11-01 */
export async function countUnmetSearch(
  db: Db,
  { month, termIds, district }: { month: string; termIds: readonly string[]; district: string },
): Promise<void> {
  // Made-up terms in an address must not fill the table.
  await sql`
    insert into unmet_searches (month, term_id, district, searches)
    select ${month}::date, id, ${district}, 1 from taxonomy_terms where id = any(${[...termIds]})
    order by id
    on conflict (month, term_id, district) do update set searches = unmet_searches.searches + 1`.execute(db);
}

export type UnmetNeed = { month: string; need: string; district: string; searches: number };

/** Those that were looked for at least `min` times in a month, the newest month first and then the most frequent. */
export async function listUnmetNeeds(
  db: Db,
  { min, limit }: { min: number; limit: number },
): Promise<UnmetNeed[]> {
  const { rows } = await sql<UnmetNeed>`
    select u.month::text, coalesce(t.name, 'A need that is gone from the library') as need, u.district, u.searches
    from unmet_searches u left join taxonomy_terms t on t.id = u.term_id
    where u.searches >= ${min} order by u.month desc, u.searches desc, need, u.district limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Deletes the counts of months that began two years ago. */
export async function deleteOldUnmetSearches(db: Db, now: Date): Promise<void> {
  await sql`delete from unmet_searches where month < ${now}::date - interval '2 years'`.execute(db);
}
