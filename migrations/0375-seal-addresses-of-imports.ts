import { type Kysely, sql } from 'kysely';

/**
 * The address of a feed may hold a key. So far an import kept it in the clear, as if it were an uploaded file, for up to a week.
 * Those addresses are deleted: a migration has no key to seal them with. Who had a feed previewed enters its address again. An import of a
 * feed that waits or runs while the site is upgraded, also of the schedule, fails, and operators are told to preview the feed again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const address =
    'The whole address of the feed, which may hold a key; null if the name has all of it, and once it is not needed any more.';
  await sql`
    alter table library_imports add column address_sealed bytea`.execute(db);
  await sql`comment on column library_imports.address_sealed is ${sql.lit(address)}`.execute(db);
  await sql`
    delete from library_import_chunks c using library_imports i where i.id = c.import_id and i.is_feed`.execute(
    db,
  );
}
