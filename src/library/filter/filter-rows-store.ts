import { sql } from 'kysely';
import { anyOfValuesSql, type Trx } from '../../platform/database/index.ts';
import { multirange } from '../hours/week.ts';
import { toEarthPoint } from '../postcodes/earth.ts';
import type { FilterRow } from './filter-row.ts';

/** Updates the filter columns of stored services, and inserts their filter rows. */
export async function saveFilterRows(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  await sql`
    update services s set minimum_age = given.minimum_age, maximum_age = given.maximum_age, week = given.week::int4multirange
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => row.minimumAge)}::float8[],
      ${rows.map((row) => row.maximumAge)}::float8[], ${rows.map(({ week }) => week)}::text[])
      as given(id, minimum_age, maximum_age, week)
    where s.id = given.id`.execute(trx);
  await savePlacesHoursAndAreas(trx, rows);
}

/** Inserts filter rows for services that have none yet. */
export async function savePlacesHoursAndAreas(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const places = rows.flatMap(({ id, places: placesOfService }) =>
    placesOfService.map(({ number, week, ...place }) => ({
      service_id: id,
      number,
      point: pointAt(place),
      week: multirange(week),
      alone: placesOfService.length === 1,
    })),
  );
  await sql`
    insert into service_places (service_id, number, point, week, alone)
    select service_id, number, point, week, alone from json_populate_recordset(null::service_places, ${JSON.stringify(places)}::json)`.execute(
    trx,
  );
  await saveOtherHours(trx, rows);
  await saveExtents(trx, rows);
}

/** A point of PostgreSQL's extension cube. Computed here, not in SQL, so that the search index and the table agree. */
function pointAt({ latitude, longitude }: Pick<FilterRow['places'][number], 'latitude' | 'longitude'>) {
  if (latitude === null || longitude === null) return null;
  const { x, y, z } = toEarthPoint({ latitude, longitude });
  return `(${x},${y},${z})`;
}

async function saveOtherHours(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const hours = rows.flatMap(({ id, hours }) => hours.map((each) => ({ ...each, service_id: id })));
  if (hours.length === 0) return;
  await sql`
    insert into service_hours (service_id, number, during, opens, closes, weekday, nth, month_day, monthly, every,
      remainder, valid_from, valid_to)
    select service_id, number, during, opens, closes, weekday, nth, month_day, monthly, every, remainder, valid_from, valid_to
    from json_populate_recordset(null::service_hours, ${JSON.stringify(hours)}::json)`.execute(trx);
}

async function saveExtents(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const extents = rows.flatMap(({ id, extents }) => extents.map((each) => ({ ...each, service_id: id })));
  if (extents.length === 0) return;
  await sql`
    insert into service_area_extents (service_id, extent, holes)
    select service_id, extent, array(select json_array_elements_text(holes)::polygon)
    from json_to_recordset(${JSON.stringify(extents)}::json) as given(service_id text, extent polygon, holes json)`.execute(
    trx,
  );
}

/** Saves what each service offers and the areas that it has in words, in place of what was saved before. */
export async function saveOffers(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const offers = rows.map(({ id, offers, areaWords }) => ({
    service_id: id,
    ...offers,
    area_codes: areaWords?.codes ?? [],
    is_whole_area: areaWords?.isWhole ?? false,
  }));
  await sql`
    insert into service_offers (service_id, ways, features, languages, area_codes, is_whole_area)
    select service_id, ways, features, languages, area_codes, is_whole_area
    from json_populate_recordset(null::service_offers, ${JSON.stringify(offers)}::json)
    on conflict (service_id) do update set ways = excluded.ways, features = excluded.features,
      languages = excluded.languages, area_codes = excluded.area_codes, is_whole_area = excluded.is_whole_area`.execute(
    trx,
  );
}

/** The time at which the transaction began. */
export async function transactionTime(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(trx);
  return rows[0]!.now;
}

/** The documents of services without a row of what they offer, in the order of their ids. */
export function listWithoutOffers(
  trx: Trx,
  after: string,
  limit: number,
): Promise<{ id: string; document: string }[]> {
  return trx
    .selectFrom('service_documents as d')
    .leftJoin('service_offers as o', 'o.service_id', 'd.service_id')
    .select(['d.service_id as id', 'd.document'])
    .where('o.service_id', 'is', null)
    .where('d.service_id', '>', after)
    .orderBy('d.service_id')
    .limit(limit)
    .execute();
}

export async function deleteFilterRows(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('service_places').where('service_id', '=', anyOfValuesSql(ids)).execute();
  await trx.deleteFrom('service_hours').where('service_id', '=', anyOfValuesSql(ids)).execute();
  await trx.deleteFrom('service_area_extents').where('service_id', '=', anyOfValuesSql(ids)).execute();
}
