import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, wasUpdatedSql } from '../../platform/database/index.ts';
import { searchWordPattern } from '../model/words.ts';

export const odsCodeShape = /^[A-Z0-9]{3,12}$/;

/** A GP practice, by its code of the Organisation Data Service. */
export type Practice = {
  odsCode: string;
  name: string;
  address: string | null;
  city: string | null;
  postcode: string | null;
  latitude: number | null;
  longitude: number | null;
  phone: string | null;
};

/**
 * Saves new and changed practices, sorted by code so that two simultaneous imports cannot deadlock.
 * @returns how many were created and updated
 */
export async function savePractices(
  trx: Trx,
  practices: readonly Practice[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  const { rows } = await sql<{ code: string; created: boolean }>`
    insert into practices as p
      (ods_code, name, address, city, postcode, latitude, longitude, phone, updated_at)
    select "odsCode", name, address, city, postcode, latitude, longitude, phone, ${at}
    from json_to_recordset(${JSON.stringify(practices)}::json) as r("odsCode" text, name text, address text,
      city text, postcode text, latitude float8, longitude float8, phone text)
    -- Unchanged rows are left out here: PostgreSQL computes generated columns before it checks for a conflict.
    where not exists (
      select from practices p where p.ods_code = r."odsCode" and
        (p.name, p.address, p.city, p.postcode, p.latitude, p.longitude, p.phone) is not distinct from
        (r.name, r.address, r.city, r.postcode, r.latitude, r.longitude, r.phone))
    order by "odsCode"
    on conflict (ods_code) do update set name = excluded.name, address = excluded.address, city = excluded.city,
      postcode = excluded.postcode, latitude = excluded.latitude, longitude = excluded.longitude,
      phone = excluded.phone, updated_at = excluded.updated_at
    returning ods_code as code, not ${wasUpdatedSql} as created`.execute(trx);
  await saveWords(
    trx,
    rows.map(({ code }) => code),
  );
  const created = rows.filter((row) => row.created).length;
  return { created, updated: rows.length - created };
}

/** Saves the words of these practices, with which misspelt words are compared. */
async function saveWords(trx: Trx, odsCodes: readonly string[]): Promise<void> {
  await sql`
    insert into practice_words
    select distinct word from practices cross join unnest(tsvector_to_array(search)) as word
    where ods_code = any(${[...odsCodes]}) and word ~ ${searchWordPattern} order by word
    on conflict do nothing`.execute(trx);
}

export type ListSize = { odsCode: string; listSize: number | null };

/**
 * Saves how many people are registered with practices. A practice that an earlier batch of the import changed has the import’s time already,
 * and is not counted twice; `saveClosingDates` counts in the same way.
 * @param at the time of the import, the same for all of its batches
 * @returns how many practices changed that this import had not changed before
 */
export async function saveListSizes(trx: Trx, sizes: readonly ListSize[], at: Date): Promise<number> {
  const { rows } = await sql<{ isNewlyChanged: boolean }>`
    update practices p set list_size = changed.list_size, updated_at = ${at}
    from (
      select practices.ods_code, r."listSize" as list_size, updated_at <> ${at} as "isNewlyChanged"
      from json_to_recordset(${JSON.stringify(sizes)}::json) as r("odsCode" text, "listSize" integer)
      join practices on practices.ods_code = r."odsCode"
      where practices.list_size is distinct from r."listSize"
      order by practices.ods_code for no key update of practices) as changed
    where p.ods_code = changed.ods_code
    returning changed."isNewlyChanged"`.execute(trx);
  return rows.filter(({ isNewlyChanged }) => isNewlyChanged).length;
}

export type Closing = { odsCode: string; closedOn: string | null };

/**
 * @param at the time of the import, the same for all of its batches
 * @returns how many closing dates changed, and how many of them are of practices that this import had not changed before
 */
export async function saveClosingDates(
  trx: Trx,
  closings: readonly Closing[],
  at: Date,
): Promise<{ changed: number; newlyChanged: number }> {
  const { rows } = await sql<{ isNewlyChanged: boolean }>`
    update practices p set closed_on = changed.closed_on, updated_at = ${at}
    from (
      select practices.ods_code, r."closedOn" as closed_on, updated_at <> ${at} as "isNewlyChanged"
      from json_to_recordset(${JSON.stringify(closings)}::json) as r("odsCode" text, "closedOn" date)
      join practices on practices.ods_code = r."odsCode"
      where practices.closed_on is distinct from r."closedOn"
      order by practices.ods_code for no key update of practices) as changed
    where p.ods_code = changed.ods_code
    returning changed."isNewlyChanged"`.execute(trx);
  return { changed: rows.length, newlyChanged: rows.filter(({ isNewlyChanged }) => isNewlyChanged).length };
}

/** A practice with its channels, in the order in which they are tried. */
export type KnownPractice = Practice & {
  channels: string[];
  /** The day on which it closed or will close, such as 2026-11-21; null if none is known. `hasClosed` says whether it has. */
  closedOn: string | null;
};

export const practiceColumnsSql: RawBuilder<unknown> = sql`
  ods_code as "odsCode", name, address, city, postcode, latitude, longitude, phone, channels,
  closed_on::text as "closedOn"`;

/** The practice with this code, in capital letters. */
export async function findPractice(db: Db, odsCode: string): Promise<KnownPractice | undefined> {
  return (await findPractices(db, [odsCode])).get(odsCode);
}

export async function findPractices(
  db: Db,
  odsCodes: readonly string[],
): Promise<Map<string, KnownPractice>> {
  const { rows } = await sql<KnownPractice>`
    select ${practiceColumnsSql} from practices
    where ods_code = any(${odsCodes.filter((code) => !code.includes('\0'))}::text[])`.execute(db);
  return new Map(rows.map((practice) => [practice.odsCode, practice]));
}

/** Imports do not set channels, so these stay until somebody changes them. */
export async function saveChannels(
  trx: Trx,
  odsCode: string,
  channels: readonly string[],
  at: Date,
): Promise<void> {
  await trx
    .updateTable('practices')
    .set({ channels: [...channels], updated_at: at })
    .where('ods_code', '=', odsCode)
    .execute();
}
