import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** A postcode and its middle; null where the directory has the postcode and does not know where it is. */
export type PostcodePlace = { postcode: string; latitude: number | null; longitude: number | null };
export type Saved = { created: number; updated: number };
export type Point = { latitude: number; longitude: number };

/**
 * Writes what is new or different; each postcode at most once, and in their order, so that two imports at the same time
 * wait for each other and never in a ring. @returns how many were made, and how many changed.
 */
export async function savePostcodes(trx: Trx, places: readonly PostcodePlace[]): Promise<Saved> {
  const { rows } = await sql<Saved>`
    with saved as (
      insert into postcodes as p (postcode, latitude, longitude)
      select * from ${asRows(places)} order by postcode
      on conflict (postcode) do update set latitude = excluded.latitude, longitude = excluded.longitude
      where (p.latitude, p.longitude) is distinct from (excluded.latitude, excluded.longitude)
      returning xmax = 0 as made)
    select count(*) filter (where made) as created, count(*) filter (where not made) as updated from saved`.execute(
    trx,
  );
  return rows[0]!;
}

/** What saving these would do. */
export async function comparePostcodes(db: Db, places: readonly PostcodePlace[]): Promise<Saved> {
  const { rows } = await sql<Saved>`
    select count(*) filter (where p.postcode is null) as created,
      count(*) filter (where p.postcode is not null
        and (p.latitude, p.longitude) is distinct from (given.latitude, given.longitude)) as updated
    from ${asRows(places)} left join postcodes p using (postcode)`.execute(db);
  return rows[0]!;
}

/** One array a column: the fastest way in that a statement has. */
function asRows(places: readonly PostcodePlace[]): RawBuilder<unknown> {
  return sql`unnest(${places.map((each) => each.postcode)}::text[], ${places.map((each) => each.latitude)}::float8[],
    ${places.map((each) => each.longitude)}::float8[]) as given(postcode, latitude, longitude)`;
}

/** Where these postcodes are, in their one written form; those that are not known are left out. */
export async function findPostcodes(db: Db, postcodes: readonly string[]): Promise<Map<string, Point>> {
  const { rows } = await sql<Point & { postcode: string }>`
    select postcode, latitude, longitude from postcodes
    where postcode = any(${[...postcodes]}) and latitude is not null`.execute(db);
  return new Map(rows.map(({ postcode, ...point }) => [postcode, point]));
}

/**
 * The middle of all postcodes that begin so: of a sector, or of a district with its space. It is reckoned anew each
 * time, so that it cannot be out of date; the largest district's five thousand take two milliseconds.
 */
export async function findMiddle(db: Db, beginning: string): Promise<Point | undefined> {
  const { rows } = await sql<Point>`
    select round(avg(latitude)::numeric, 5)::float8 as latitude, round(avg(longitude)::numeric, 5)::float8 as longitude
    from postcodes where postcode >= ${beginning} and postcode < ${`${beginning}~`}
    having count(latitude) > 0`.execute(db);
  return rows[0];
}
