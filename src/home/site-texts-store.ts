import type { Db, Trx } from '../platform/database/index.ts';

export type SiteText = { text: string; updatedAt: Date; updatedByName: string };

/** What an operator wrote for a page of the footer. */
export function findSiteText(db: Db, name: string): Promise<SiteText | undefined> {
  return db
    .selectFrom('site_texts')
    .select(['text', 'updated_at as updatedAt', 'updated_by_name as updatedByName'])
    .where('name', '=', name)
    .executeTakeFirst();
}

export function listSiteTexts(db: Db): Promise<(SiteText & { name: string })[]> {
  return db
    .selectFrom('site_texts')
    .select(['name', 'text', 'updated_at as updatedAt', 'updated_by_name as updatedByName'])
    .execute();
}

export async function saveSiteText(trx: Trx, name: string, text: SiteText): Promise<void> {
  const row = { text: text.text, updated_at: text.updatedAt, updated_by_name: text.updatedByName };
  await trx
    .insertInto('site_texts')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** The page has its default text again. */
export async function deleteSiteText(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('site_texts').where('name', '=', name).execute();
}
