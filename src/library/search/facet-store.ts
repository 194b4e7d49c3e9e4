import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { dayCodes, dayNames } from '../hours/week.ts';
import { conditions, isOpenIn, ofServices } from './conditions-store.ts';
import { capacities, capacityNames, type Facet } from './filter-parameters.ts';
import type { FacetCount, Facets, Filters, Which } from './filters.ts';
import type { ListRequest } from './list-query.ts';
import { remembered } from './remembered-store.ts';
import type { TextQuery } from './text-query.ts';

type Wanted = Which & Pick<ListRequest, 'facets'>;

const mostTerms = 50;

/**
 * Counts the values of each facet among the services that fit all but the facet's own filter: how many somebody would
 * see who chose that value instead.
 */
export async function findFacets(
  db: Db,
  wanted: Wanted,
  text: TextQuery | undefined,
  version: number,
): Promise<Facets> {
  const ask: Ask = (query) => remembered(db, version, query);
  const counts = await Promise.all(
    wanted.facets.map(async (facet) => [facet, await counters[facet](ask, wanted, text)] as const),
  );
  return Object.fromEntries(counts);
}

type Ask = <T>(query: RawBuilder<T>) => Promise<readonly T[]>;
type Counter = (ask: Ask, wanted: Wanted, text: TextQuery | undefined) => Promise<FacetCount[]>;

const counters: Readonly<Record<Facet, Counter>> = {
  taxonomy_term_id: countTerms,
  day: countDays,
  capacity: countCapacities,
};

/** The terms that most services have, each with those below it, as the filter counts them too. */
async function countTerms(ask: Ask, wanted: Wanted, text: TextQuery | undefined): Promise<FacetCount[]> {
  const rows = await ask(sql<Omit<FacetCount, 'taxonomy'> & { taxonomy: string | null }>`
    with recursive counted(service_id, term_id) as (
      select st.service_id, st.term_id from services s join service_taxonomy_terms st on st.service_id = s.id
      where ${conditions(without('termIds', wanted), text)}
      union
      select counted.service_id, t.parent_id from counted join taxonomy_terms t on t.id = counted.term_id
      where t.parent_id is not null)
    select t.id as value, t.name, x.name as taxonomy, numbers.count
    from (select term_id, count(*) as count from counted group by term_id) as numbers
    join taxonomy_terms t on t.id = numbers.term_id left join taxonomies x on x.id = t.taxonomy_id
    order by numbers.count desc, t.sort_name, t.id limit ${mostTerms}`);
  return rows.map(({ taxonomy, ...row }) => (taxonomy === null ? row : { ...row, taxonomy }));
}

/** All seven days. Times that are asked for hold for each of them. */
async function countDays(ask: Ask, wanted: Wanted, text: TextQuery | undefined): Promise<FacetCount[]> {
  const { hours } = wanted.filters;
  const counts = dayCodes.map((code, day) => {
    const isOpen = isOpenIn({ ...hours, days: [day] }, wanted.today, ofServices);
    return sql`count(*) filter (where ${isOpen}) as ${sql.id(code)}`;
  });
  const rows = await ask(sql<Record<string, number>>`
    select ${sql.join(counts)} from services s where ${conditions(without('hours', wanted), text)}`);
  return dayCodes.map((value, day) => ({ value, name: dayNames[day]!, count: rows[0]![value]! }));
}

async function countCapacities(ask: Ask, wanted: Wanted, text: TextQuery | undefined): Promise<FacetCount[]> {
  const rows = await ask(sql<{ status: string; count: number }>`
    select c.status, count(*) as count from services s join service_capacity c on c.service_id = s.id
    where ${conditions(without('capacities', wanted), text)} group by c.status`);
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return capacities.map((value) => ({ value, name: capacityNames[value], count: counts.get(value) ?? 0 }));
}

function without(filter: keyof Filters, { filters, ...rest }: Wanted): Wanted {
  return { ...rest, filters: { ...filters, [filter]: undefined } };
}
