import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Practice } from './practice.ts';

/** Writes what is new or different. @returns how many were made, and how many changed. */
export async function savePractices(
  trx: Trx,
  practices: readonly Practice[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  const { rows } = await sql<{ made: boolean }>`
    insert into practices as p
      (ods_code, name, address, city, postcode, latitude, longitude, phone, imported_at, updated_at)
    select "odsCode", name, address, city, postcode, latitude, longitude, phone, ${at}, ${at}
    from json_to_recordset(${JSON.stringify(practices)}::json) as r("odsCode" text, name text, address text,
      city text, postcode text, latitude float8, longitude float8, phone text)
    on conflict (ods_code) do update set name = excluded.name, address = excluded.address, city = excluded.city,
      postcode = excluded.postcode, latitude = excluded.latitude, longitude = excluded.longitude,
      phone = excluded.phone, updated_at = excluded.updated_at
    where (p.name, p.address, p.city, p.postcode, p.latitude, p.longitude, p.phone) is distinct from
      (excluded.name, excluded.address, excluded.city, excluded.postcode, excluded.latitude, excluded.longitude,
        excluded.phone)
    returning xmax = 0 as made`.execute(trx);
  const created = rows.filter((row) => row.made).length;
  return { created, updated: rows.length - created };
}

/** A practice with the channels its letters go by, in the order in which they are tried. */
export type KnownPractice = Practice & { channels: string[] };

/** The practice with this code, in capital letters. */
export async function findPractice(db: Db, odsCode: string): Promise<KnownPractice | undefined> {
  if (odsCode.includes('\0')) return undefined;
  const { rows } = await sql<KnownPractice>`
    select ods_code as "odsCode", name, address, city, postcode, latitude, longitude, phone, channels
    from practices where ods_code = ${odsCode}`.execute(db);
  return rows[0];
}
