import { type Kysely, sql } from 'kysely';

/** Writes what services offer, from their stored documents. */
export type DeriveOffers = (
  db: Kysely<unknown>,
  services: readonly { id: string; document: string }[],
  now: Date,
) => Promise<void>;

const batchSize = 500;

/** What people ask for before they choose a service, as far as its entry says it for certain. */
export async function addServiceOffers(db: Kysely<unknown>, derive: DeriveOffers): Promise<void> {
  await sql`
    create table service_offers (
      service_id text primary key references services on delete cascade,
      -- How it meets people: in-person, home, phone, online.
      ways text[] not null,
      -- free, step-free, hearing-loop, self-referral.
      features text[] not null,
      -- Languages besides English, by their names.
      languages text[] not null,
      -- The postcodes that the words of its areas name, each by its first letters and digits.
      area_codes text[] not null,
      -- Whether those are all that it covers.
      is_whole_area boolean not null
    )`.execute(db);
  // To find the outlines around a place.
  await sql`create index service_area_extents_extent on service_area_extents using gist (extent)`.execute(db);
  const { rows: clock } = await sql<{ now: Date }>`select now() as now`.execute(db);
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; document: string }>`
      select service_id as id, document from service_documents where service_id > ${after}
      order by service_id limit ${batchSize}`.execute(db);
    if (rows.length > 0) await derive(db, rows, clock[0]!.now);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}
