import { type Kysely, sql } from 'kysely';

/** What an import wrote or compared for each service, and nobody needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await unusedIndexes(db);
  await partsWithoutKeys(db);
}

async function unusedIndexes(db: Kysely<unknown>): Promise<void> {
  // Organisations are found by their exact name through `organizations_by_name`.
  await sql`drop index organizations_name, service_taxonomy_terms_term`.execute(db);
  // Changes are read in the order of their numbers, by what was changed.
  await sql`alter table library_changes drop constraint library_changes_pkey`.execute(db);
}

/**
 * What a service is made of is written with it, in one transaction, by one function (`import/store.ts`), and goes with it.
 * That each part has its service was asked row by row, seven times for each service: a tenth of what an import cost
 * PostgreSQL. Sources and terms are never deleted.
 */
async function partsWithoutKeys(db: Kysely<unknown>): Promise<void> {
  for (const table of parts) await dropReference(db, table, 'service_id');
  await dropReference(db, 'service_taxonomy_terms', 'term_id');
  await dropReference(db, 'services', 'source_id');
  await dropReference(db, 'library_changes', 'source_id');
  const deletions = parts.map(
    (table) => sql`delete from ${sql.table(table)} as part using changed where part.service_id = changed.id;`,
  );
  await sql`
    create function delete_parts() returns trigger language plpgsql as $$
    begin
      ${sql.join(deletions, sql` `)}
      return null;
    end $$`.execute(db);
  await sql`
    create trigger delete_parts after delete on services referencing old table as changed
    for each statement execute function delete_parts()`.execute(db);
}

const parts = [
  'service_documents',
  'service_taxonomy_terms',
  'service_at_locations',
  'service_places',
  'service_hours',
  'service_area_extents',
];

async function dropReference(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await sql`alter table ${sql.table(table)} drop constraint ${sql.id(`${table}_${column}_fkey`)}`.execute(db);
}
