import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx, wasUpdatedSql } from '../../platform/database/index.ts';

/** A postcode and its centre; null if the directory lists the postcode without coordinates. */
export type PostcodePlace = { postcode: string; latitude: number | null; longitude: number | null };
export type SaveCounts = { created: number; updated: number };
export type Point = { latitude: number; longitude: number };

/**
 * Saves new and changed postcodes, sorted so that two simultaneous imports cannot deadlock. Each postcode may occur only once.
 * @returns how many were created and updated
 */
export async function savePostcodes(trx: Trx, places: readonly PostcodePlace[]): Promise<SaveCounts> {
  const { rows } = await sql<SaveCounts>`
    with saved as (
      insert into postcodes as p (postcode, latitude, longitude)
      select * from ${asRowsSql(places)} order by postcode
      on conflict (postcode) do update set latitude = excluded.latitude, longitude = excluded.longitude
      where (p.latitude, p.longitude) is distinct from (excluded.latitude, excluded.longitude)
      returning not ${wasUpdatedSql} as created)
    select count(*) filter (where s.created) as created, count(*) filter (where not s.created) as updated from saved s`.execute(
    trx,
  );
  return rows[0]!;
}

/** The tenth of the country by deprivation in which a postcode is: 1 is the most deprived. The year is that of the index. */
export type Decile = { postcode: string; decile: number; year: number };

/** Saves deciles of postcodes that are there. Referrals that are sent from then on keep them. */
export async function saveDeciles(trx: Trx, deciles: readonly Decile[], at: Date): Promise<void> {
  if (deciles.length === 0) return;
  const { rows } = await sql`
    update postcodes p set imd_decile = changed.decile, imd_year = changed.year
    from (
      select p.postcode, r.decile, r.year
      from json_to_recordset(${JSON.stringify(deciles)}::json) as r(postcode text, decile smallint, year smallint)
      join postcodes p using (postcode) where (p.imd_decile, p.imd_year) is distinct from (r.decile, r.year)
      order by p.postcode for no key update of p) as changed
    where p.postcode = changed.postcode returning 1`.execute(trx);
  if (rows.length > 0) await trx.updateTable('postcode_deciles').set({ imported_at: at }).execute();
}

/** How many postcodes {@link savePostcodes} would create and update. */
export async function comparePostcodes(db: Db, places: readonly PostcodePlace[]): Promise<SaveCounts> {
  const { rows } = await sql<SaveCounts>`
    select count(*) filter (where p.postcode is null) as created,
      count(*) filter (where p.postcode is not null
        and (p.latitude, p.longitude) is distinct from (input.latitude, input.longitude)) as updated
    from ${asRowsSql(places)} left join postcodes p using (postcode)`.execute(db);
  return rows[0]!;
}

function asRowsSql(places: readonly PostcodePlace[]): RawBuilder<unknown> {
  return sql`unnest(${places.map((each) => each.postcode)}::text[], ${places.map((each) => each.latitude)}::float8[],
    ${places.map((each) => each.longitude)}::float8[]) as input(postcode, latitude, longitude)`;
}

/** Finds postcodes in their standard form. Unknown ones are left out. */
export async function findPostcodes(db: Db, postcodes: readonly string[]): Promise<Map<string, Point>> {
  const rows = await db
    .selectFrom('postcodes')
    .select(['postcode', 'latitude', 'longitude'])
    .where('postcode', '=', anyOfValuesSql(postcodes))
    .where('latitude', 'is not', null)
    .$narrowType<Point>()
    .execute();
  return new Map(rows.map(({ postcode, ...point }) => [postcode, point]));
}

/** Where postcodes of a district are: a cell of about half a kilometre, with the middle of its postcodes. */
export type DistrictCell = Point & { district: string; postcodes: number };

/** All cells of several districts. Unknown districts have none. */
export async function findDistrictCells(db: Db, districts: readonly string[]): Promise<DistrictCell[]> {
  const { rows } = await sql<DistrictCell>`
    select input.district, cell.*
    from unnest(${districts}::text[]) as input(district) cross join lateral (
      select count(*)::int as postcodes, avg(latitude) as latitude, avg(longitude) as longitude
      from postcodes
      where postcode >= input.district || ' ' and postcode < input.district || ' ~' and latitude is not null
      group by round(latitude * 200), round(longitude * 120)) as cell`.execute(db);
  return rows;
}

/**
 * The centre of all postcodes with this prefix: a sector, or a district with its space. In byte order “~” comes after every
 * letter and digit, so it ends the range. It is computed each time, so it is never out of date;
 * the largest district, of five thousand postcodes, takes two milliseconds.
 */
export async function findCentre(db: Db, prefix: string): Promise<Point | undefined> {
  const { rows } = await sql<Point>`
    select round(avg(latitude)::numeric, 5)::float8 as latitude, round(avg(longitude)::numeric, 5)::float8 as longitude
    from postcodes where postcode >= ${prefix} and postcode < ${`${prefix}~`}
    having count(latitude) > 0`.execute(db);
  return rows[0];
}

/** The first part of a postcode that this site knows, as an example of what can be typed. */
export async function findExampleDistrict(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('postcodes')
    .select('postcode')
    .where('latitude', 'is not', null)
    .orderBy('postcode')
    .limit(1)
    .executeTakeFirst();
  return row?.postcode.split(' ')[0];
}

/** Whether the site has this postcode in its standard form, or has no postcodes at all and so knows nothing of any. */
export async function hasPostcode(db: Db, postcode: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from postcodes where postcode = ${postcode}) or not exists (select from postcodes) as has`.execute(
    db,
  );
  return rows[0]!.has;
}
