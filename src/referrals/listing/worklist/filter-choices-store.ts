import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { mayKnowServiceSql } from '../../model/access/hide-sensitive-services-store.ts';
import { visibilityConditionsSql } from '../list-store.ts';
import type { WorklistFilter } from './work-filter.ts';

/** The services to which the referrals of a list go, and the organisations that made them, by name. */
export type FilterChoices = { services: NamedChoice[]; organisations: NamedChoice[] };

type NamedChoice = { id: string; name: string };

/** Older referrals are found by the name of their service or organisation, too, but not offered. */
const maxLatest = 2000;

/** A service is not offered because of a referral in which it is hidden from the reader. */
export async function listChoices(
  db: Db,
  { visibility, accountId }: Pick<WorklistFilter, 'visibility' | 'accountId'>,
): Promise<FilterChoices> {
  const visible = visibilityConditionsSql(visibility);
  if (visible.length === 0) return { services: [], organisations: [] };
  const latest = visible.map(
    (isVisible) => sql`(
      select id, service_id, service_name, referrer_organisation_id, referrer_account_id, service_organization_id, created_at
      from referrals where ${isVisible} and service_id is not null order by id desc limit ${maxLatest})`,
  );
  const mayKnow = mayKnowServiceSql({ accountId, receivedBy: visibility.receivedBy });
  const { rows } = await sql<NamedChoice & { kind: keyof FilterChoices }>`
    -- Named like the table, because the condition refers to it by that name.
    with referrals as materialized (${sql.join(latest, sql` union all `)})
    select 'services' as kind, service_id as id, max(service_name) as name from referrals where ${mayKnow} group by service_id
    union all
    select 'organisations', o.id::text, o.name from organisations o
    where o.id in (select referrer_organisation_id from referrals)
    order by 1, 3`.execute(db);
  const choicesOf = (kind: keyof FilterChoices) =>
    rows.filter((row) => row.kind === kind).map(({ id, name }) => ({ id, name }));
  return { services: choicesOf('services'), organisations: choicesOf('organisations') };
}
