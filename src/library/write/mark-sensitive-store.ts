import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { looksSensitive } from '../model/sensitive-words.ts';

type Words = { id: string; name: string; description: string };

/** Marks those of these new services whose words suggest that they are sensitive, until an operator has looked at each. */
export async function markByWords(trx: Trx, services: readonly Words[]): Promise<void> {
  const ids = services.filter(looksSensitive).map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .insertInto('service_referral_settings')
    .values(ids.map((id) => ({ service_id: id, sensitive: true, marked_by_words: true })))
    .onConflict((conflict) => conflict.column('service_id').doNothing())
    .execute();
}

/** The services that their words have marked and nobody has confirmed, by name. */
export async function listMarkedByWords(
  db: Db,
  limit: number,
): Promise<{ id: string; name: string; isPlaceShown: boolean }[]> {
  return db
    .selectFrom('services as s')
    .innerJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .select(['s.id', 's.name', sql<boolean>`not r.location_confidential`.as('isPlaceShown')])
    .where('r.marked_by_words', '=', true)
    .where('s.status', '=', 'active')
    .orderBy('s.name')
    .orderBy('s.id')
    .limit(limit)
    .execute();
}

/** Whether the words of this service have marked it, and nobody has confirmed that. */
export async function isMarkedByWords(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('service_referral_settings')
    .select('marked_by_words as isMarked')
    .where('service_id', '=', id)
    .executeTakeFirst();
  return row?.isMarked ?? false;
}
