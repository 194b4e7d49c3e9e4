import { sql } from 'kysely';
import type { Database, Db } from '../../src/platform/database/index.ts';
import type { DB } from '../../src/platform/database/tables.ts';
import { asSuperuser } from './test-database.ts';

// What any table of the database holds, what it says about itself, and states of it that no action makes.

/** All rows of a table, as one text to search for what must not be there. */
export async function textOfTable(db: Db, table: keyof DB & string): Promise<string> {
  const rows: Record<string, unknown>[] = await db.selectFrom(table).selectAll().execute();
  const readable = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
      ? Buffer.from((value as unknown as { data: number[] }).data).toString('latin1')
      : value;
  return JSON.stringify(rows, readable);
}

/** The names of the site’s tables. */
export async function namesOfTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(db);
  return rows.map(({ name }) => name);
}

/** How many rows a table has. */
export async function countRows(db: Db, table: keyof DB & string): Promise<number> {
  const rows: unknown[] = await db.selectFrom(table).selectAll().execute();
  return rows.length;
}

/** The names of a table's columns, in their order. */
export async function columnsOf(db: Db, table: keyof DB & string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = ${table}
    order by ordinal_position`.execute(db);
  return rows.map(({ name }) => name);
}

/** The file of a table, as PostgreSQL has it on disk. */
export async function fileOfTable(database: Database, table: keyof DB & string): Promise<string> {
  return asSuperuser(database, async (trx) => {
    await sql`checkpoint`.execute(trx);
    const { rows } = await sql<{ text: string }>`
      select encode(pg_read_binary_file(pg_relation_filepath(${table})), 'escape') as text`.execute(trx);
    return rows[0]!.text;
  });
}

/** Does the work while a table is missing, so that every statement about it fails. */
export async function withoutTable(
  db: Db,
  table: keyof DB & string,
  work: () => Promise<unknown>,
): Promise<void> {
  await db.schema.alterTable(table).renameTo('elsewhere').execute();
  try {
    await work();
  } finally {
    await db.schema.alterTable('elsewhere').renameTo(table).execute();
  }
}

/** The migrations that the database has had. */
export async function storedMigrations(db: Db): Promise<string[]> {
  const migrations = await db.selectFrom('onward_migrations').select('name').orderBy('name').execute();
  return migrations.map(({ name }) => name);
}

/** As if the database had been left by the version that has just these migrations. */
export async function setMigrations(db: Db, names: readonly string[]): Promise<void> {
  const timestamp = new Date().toISOString();
  await db.deleteFrom('onward_migrations').execute();
  await db
    .insertInto('onward_migrations')
    .values(names.map((name) => ({ name, timestamp })))
    .execute();
}

/** As somebody does who has the database and wants to open it under another site key. */
export async function deleteKeyMark(db: Db): Promise<void> {
  await db.deleteFrom('site_facts').where('name', '=', 'site key').execute();
}

/** The version of a row, as PostgreSQL numbers them: it changes with every update, also one that changes nothing. */
export async function rowVersion(db: Db, table: keyof DB & string, id: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select ctid::text as version from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]!.version;
}

/** The ids of all rows of a table. */
export async function storedIds(db: Db, table: keyof DB & string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id::text from ${sql.table(table)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The values that a check of the database allows, such as `deliveries_status_check`. */
export async function valuesAllowedBy(db: Db, check: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${check}`.execute(db);
  return [...rows[0]!.text.matchAll(/'([a-z-]+)'::text/g)].map((match) => match[1]!);
}

/** Does the work while the audit has a function, a trigger and a rule of somebody else, and one of its own triggers is off. */
export async function whileTamperedWith<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`create function hide() returns trigger language plpgsql as $$ begin return null; end $$`.execute(
    db,
  );
  await sql`create trigger hide before insert on audit_entries for each row execute function hide()`.execute(
    db,
  );
  await sql`create rule silence as on insert to audit_unsealed do instead nothing`.execute(db);
  await sql`alter table audit_links disable trigger audit_links_append_only`.execute(db);
  try {
    return await work();
  } finally {
    await sql`drop function hide cascade`.execute(db);
    await sql`drop rule silence on audit_unsealed`.execute(db);
    await sql`alter table audit_links enable trigger audit_links_append_only`.execute(db);
  }
}
