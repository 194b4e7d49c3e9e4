import { type Kysely, sql } from 'kysely';

/** Services are looked for in memory (0026): nobody reads these any more, and every import kept them up to date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index service_places_point, service_at_locations_by_name, services_last_modified, search_words_alike`.execute(
    db,
  );
  // What fits on a page of the table stays as it is: packing it cost more than it spared, and so did unpacking it.
  await sql`alter table service_documents set (toast_tuple_target = 8160)`.execute(db);
}
