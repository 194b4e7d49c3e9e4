import { sql } from 'kysely';
import { type Need, needs } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** The beginning of stored needs that people named in words. Needs of the library's taxonomies are stored as ids of their terms. */
const needPrefix = 'need:';

/** Counts one search for these needs in a district. @param month its first day, such as 2026-11-01 */
export async function countUnmetSearch(
  db: Db,
  {
    month,
    termIds,
    needs: named,
    district,
  }: { month: string; termIds: readonly string[]; needs: readonly Need[]; district: string },
): Promise<void> {
  // Only terms that exist are stored, so that made-up ones in an address cannot fill the table.
  await sql`
    insert into unmet_searches (month, term_id, district, searches)
    select ${month}::date, id, ${district}, 1 from (
      select id from taxonomy_terms where id = any(${[...termIds]})
      union all select ${needPrefix} || need from unnest(${[...named]}::text[]) as named(need)) as terms
    order by id
    on conflict (month, term_id, district) do update set searches = unmet_searches.searches + 1`.execute(db);
}

export type UnmetNeed = { month: string; need: string; district: string; searches: number };

/** The needs that were looked for at least `min` times in a month, the newest month first and then the most frequent. */
export async function listUnmetNeeds(
  db: Db,
  { min, limit }: { min: number; limit: number },
): Promise<UnmetNeed[]> {
  const { rows } = await sql<UnmetNeed & { termId: string }>`
    select u.month::text, u.term_id as "termId", coalesce(t.name, 'A need that is not in the library') as need, u.district,
      u.searches
    from unmet_searches u left join taxonomy_terms t on t.id = u.term_id
    where u.searches >= ${min} order by u.month desc, u.searches desc, need, u.district limit ${limit}`.execute(
    db,
  );
  return rows.map(({ termId, ...row }) => ({ ...row, need: titleOfNeed(termId) ?? row.need }));
}

function titleOfNeed(termId: string): string | undefined {
  const code = termId.startsWith(needPrefix) ? termId.slice(needPrefix.length) : '';
  return Object.hasOwn(needs, code) ? needs[code as Need].title : undefined;
}

/** Deletes the counts of months that began two years ago. */
export async function deleteOldUnmetSearches(db: Db, now: Date): Promise<void> {
  await sql`delete from unmet_searches where month < (${now}::timestamptz at time zone 'Europe/London')::date - interval '2 years'`.execute(
    db,
  );
}
