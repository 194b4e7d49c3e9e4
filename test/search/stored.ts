import type { Db } from '../../src/platform/database/index.ts';

// What tests write of the search behind the site's back.

/** Stores a synonym that no operator added. */
export async function storeSynonym(db: Db, saying: string, meaning: string): Promise<void> {
  await db.insertInto('search_synonyms').values({ saying, meaning }).execute();
}

/** Deletes a synonym. */
export async function deleteSynonym(db: Db, saying: string): Promise<void> {
  await db.deleteFrom('search_synonyms').where('saying', '=', saying).execute();
}

/** What people searched for in the public directory and did not find, as it is counted. */
export function storedUnmetSearches(db: Db): Promise<{ term_id: string }[]> {
  return db.selectFrom('unmet_searches').selectAll().execute();
}
