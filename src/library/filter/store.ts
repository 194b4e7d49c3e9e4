import { sql } from 'kysely';
import { type Columns, copyRows, type Trx } from '../../platform/database/index.ts';
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
  const columns = {
    service_id: ({ id }, into) => into.text(id),
    number: ({ number }, into) => into.int4(number),
    point: ({ spot }, into) => into.point(spot ? [spot.x, spot.y, spot.z] : null),
    week: ({ week }, into) => into.ranges(week),
    alone: ({ alone }, into) => into.boolean(alone),
  } satisfies Columns<(typeof places)[number]>;
  await copyRows(trx, 'service_places', columns, places);
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
