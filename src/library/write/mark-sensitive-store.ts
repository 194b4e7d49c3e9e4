import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { looksSensitive, sensitiveWordsOf } from '../model/sensitive-words.ts';

type Words = { id: string; name: string; description: string };

/** Marks those of these new services whose words suggest that they are sensitive, until an operator has looked at each. */
export async function markSensitiveByWords(trx: Trx, services: readonly Words[]): Promise<void> {
  const ids = services.filter(looksSensitive).map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .insertInto('service_referral_settings')
    .values(ids.map((id) => ({ service_id: id, sensitive: true, marked_by_words: true })))
    .onConflict((conflict) => conflict.column('service_id').doNothing())
    .execute();
}

type MarkedService = {
  /** Why it was marked; undefined if the words have changed since. */
  words: string | undefined;
  id: string;
  name: string;
  organization: string | null;
  placeIsConfidential: boolean;
  showsPlace: boolean;
};

/** The services that their words have marked and nobody has confirmed, by name; of one import, or all. */
export async function listMarkedByWords(
  db: Db,
  { importId, limit, offset = 0 }: { importId?: string | undefined; limit: number; offset?: number },
): Promise<MarkedService[]> {
  const rows = await selectUnconfirmed(db, importId)
    .leftJoin('organizations as o', 'o.id', 's.organization_id')
    .select([
      's.id',
      's.name',
      'o.name as organization',
      'r.location_confidential as placeIsConfidential',
      showsPlaceSql.as('showsPlace'),
      descriptionSql.as('description'),
    ])
    .orderBy('s.name')
    .orderBy('s.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ description, ...row }) => ({
    ...row,
    words: sensitiveWordsOf({ name: row.name, description }),
  }));
}

export async function countMarkedByWords(db: Db, importId?: string): Promise<number> {
  const { count } = await selectUnconfirmed(db, importId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many of the unconfirmed services show their place to everybody. */
export async function countMarkedWithPlace(db: Db): Promise<number> {
  const { count } = await selectUnconfirmed(db)
    .select(sql<number>`count(*)::int`.as('count'))
    .where(showsPlaceSql)
    .executeTakeFirstOrThrow();
  return count;
}

const descriptionSql = sql<string>`coalesce((
  select d.document::jsonb ->> 'description' from service_documents d where d.service_id = s.id), '')`;

// A service that only meets people online has no place to hide.
const showsPlaceSql = sql<boolean>`(not r.location_confidential and exists (
  select from service_documents d where d.service_id = s.id and jsonb_path_exists(d.document::jsonb,
    '$.service_at_locations[*] ? (!exists(@.location.location_type ? (@ == "virtual")))')))`;

/** Only active services: nobody finds the others, or refers to them. */
function selectUnconfirmed(db: Db, importId?: string) {
  return db
    .selectFrom('services as s')
    .innerJoin('service_referral_settings as r', 'r.service_id', 's.id')
    .where('r.marked_by_words', '=', true)
    .where('s.status', '=', 'active')
    .$if(importId !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('services_before_imports as b')
            .select('b.service_id')
            .whereRef('b.service_id', '=', 's.id')
            .where('b.import_id', '=', importId!),
        ),
      ),
    );
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

/** Takes off a mark that nobody has confirmed. @returns false if somebody has decided before */
export async function removeMarkByWords(trx: Trx, serviceId: string, at: Date): Promise<boolean> {
  const rows = await trx
    .updateTable('service_referral_settings')
    .set({ sensitive: false, marked_by_words: false, updated_at: at })
    .where('service_id', '=', serviceId)
    .where('marked_by_words', '=', true)
    .where('sensitive', '=', true)
    .returning('service_id')
    .execute();
  return rows.length === 1;
}

/** @returns false if somebody has confirmed the mark, or taken it off, before. */
export async function confirmSensitiveMark(trx: Trx, serviceId: string, at: Date): Promise<boolean> {
  const rows = await trx
    .updateTable('service_referral_settings')
    .set({ marked_by_words: false, updated_at: at })
    .where('service_id', '=', serviceId)
    .where('marked_by_words', '=', true)
    .where('sensitive', '=', true)
    .returning('service_id')
    .execute();
  return rows.length === 1;
}
