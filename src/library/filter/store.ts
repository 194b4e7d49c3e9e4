import { sql } from 'kysely';
import { binaryTexts, type Trx } from '../../platform/database/index.ts';
import { type Spot, spotOf } from '../catalogue/spot.ts';
import type { FilterRow } from './filter-row.ts';

/** What services are filtered by, for services that are saved already. */
export async function saveFilterRows(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  await sql`
    update services s set minimum_age = given.minimum_age, maximum_age = given.maximum_age, week = given.week::int4multirange
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => row.minimumAge)}::float8[],
      ${rows.map((row) => row.maximumAge)}::float8[], ${rows.map(({ week }) => week)}::text[])
      as given(id, minimum_age, maximum_age, week)
    where s.id = given.id`.execute(trx);
  await savePlacesHoursAndAreas(trx, rows);
}

/** For services that have none. */
export async function savePlacesHoursAndAreas(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const places = rows.flatMap((row) =>
    row.places.map((place) => ({
      ...place,
      id: row.id,
      alone: row.places.length === 1,
      spot: spotAt(place),
    })),
  );
  await sql`
    /* prepared as save-service-places */ insert into service_places (service_id, number, point, week, alone)
    select id, number, case when x is not null then cube(array[x, y, z]) end, week::int4multirange, alone
    from unnest(${binaryTexts(places.map(({ id }) => id))}::text[], ${places.map(({ number }) => number)}::int[],
      ${places.map(({ spot }) => spot?.x)}::float8[], ${places.map(({ spot }) => spot?.y)}::float8[],
      ${places.map(({ spot }) => spot?.z)}::float8[],
      ${binaryTexts(places.map(({ week }) => week))}::text[], ${places.map(({ alone }) => alone)}::boolean[])
      as given(id, number, x, y, z, week, alone)`.execute(trx);
  await saveOtherHours(trx, rows);
  await saveExtents(trx, rows);
}

/** Reckoned here: PostgreSQL looks of each point whether it is on the Earth, which took longer than to store it. */
function spotAt({ latitude, longitude }: FilterRow['places'][number]): Spot | undefined {
  return latitude === null || longitude === null ? undefined : spotOf({ latitude, longitude });
}

async function saveOtherHours(trx: Trx, rows: readonly FilterRow[]): Promise<void> {
  const hours = rows.flatMap(({ id, hours }) => hours.map((each) => ({ ...each, service_id: id })));
  if (hours.length === 0) return;
  await sql`
    insert into service_hours
    select * from json_populate_recordset(null::service_hours, ${JSON.stringify(hours)}::json)`.execute(trx);
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
