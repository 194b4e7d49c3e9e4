import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { looksSensitive } from '../model/sensitive-words.ts';
import { wasEverSensitiveSql } from './referral-marks-store.ts';

type TermToSearch = { id: string; name: string; taxonomy: string | null };

/**
 * The terms by which somebody who was declined by this service may look for another. None of a service that is or was sensitive, and none
 * that tells of danger or shame: they would stand in addresses beside a referral.
 */
export async function listTermsToSearchAgain(db: Db, serviceId: string): Promise<TermToSearch[]> {
  const terms = await db
    .selectFrom('service_taxonomy_terms as st')
    .innerJoin('taxonomy_terms as t', 't.id', 'st.term_id')
    .leftJoin('taxonomies as x', 'x.id', 't.taxonomy_id')
    .select(['t.id', 't.name', 'x.name as taxonomy'])
    .where('st.service_id', '=', serviceId)
    .where(sql<boolean>`not ${wasEverSensitiveSql(sql`st.service_id`)}`)
    .orderBy(sql`x.name nulls last, plain_text(t.name) collate "C", t.id`)
    .execute();
  return terms.filter(({ name }) => !looksSensitive({ name, description: '' }));
}
