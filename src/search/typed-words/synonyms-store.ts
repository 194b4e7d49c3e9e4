import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** A saying, what services call it, and who added a meaning here last; null for the synonyms that come with Onward. */
export type Synonym = { saying: string; meanings: string[]; addedAt: Date | null; addedBy: string | null };

/** Synonyms whose saying or meanings contain a text, in the order of their sayings. */
export async function listSynonyms(
  db: Db,
  { text, offset, limit }: { text: string; offset: number; limit: number },
): Promise<Synonym[]> {
  const { rows } = await sql<Synonym>`
    select saying, array_agg(meaning order by meaning) as meanings,
      max(added_at) as "addedAt", (array_agg(added_by order by added_at desc nulls last))[1] as "addedBy"
    from search_synonyms
    group by saying having strpos(saying, ${text}) > 0 or bool_or(strpos(meaning, ${text}) > 0)
    order by saying limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** How many sayings have this text in them, or in one of their meanings. */
export async function countSynonyms(db: Db, text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct saying)::int as count from search_synonyms
    where strpos(saying, ${text}) > 0 or strpos(meaning, ${text}) > 0`.execute(db);
  return rows[0]!.count;
}

export async function findMeanings(db: Db, saying: string): Promise<string[]> {
  const { rows } = await sql<{ meaning: string }>`
    select meaning from search_synonyms where saying = ${saying} order by meaning`.execute(db);
  return rows.map(({ meaning }) => meaning);
}

/** @returns the meanings that are new. */
export async function insertMeanings(
  trx: Trx,
  saying: string,
  meanings: readonly string[],
  added: { at: Date; by: string },
): Promise<string[]> {
  const { rows } = await sql<{ meaning: string }>`
    insert into search_synonyms (saying, meaning, added_at, added_by)
    select ${saying}, meaning, ${added.at}, ${added.by} from unnest(${[...meanings]}::text[]) as meaning
    on conflict do nothing returning meaning`.execute(trx);
  return rows.map(({ meaning }) => meaning).sort();
}

/** @returns the meanings that were there. */
export async function deleteMeanings(
  trx: Trx,
  saying: string,
  meanings: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ meaning: string }>`
    delete from search_synonyms where saying = ${saying} and meaning = any(${[...meanings]}::text[])
    returning meaning`.execute(trx);
  return rows.map(({ meaning }) => meaning).sort();
}
