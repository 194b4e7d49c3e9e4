import { type Kysely, sql } from 'kysely';

/** What an import wrote of each service, and what nobody needs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The service's own document says all of it. Half of what an import wrote of places was said twice.
  await sql`
    alter table service_at_locations
      drop column sort_name, drop column listed, drop column document, drop column summary`.execute(db);
  // Lists in the order of names come from the catalogue (0026).
  await sql`drop index services_by_name`.execute(db);
}
