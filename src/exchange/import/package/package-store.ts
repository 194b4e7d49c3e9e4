import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import type { TableName } from './tables.ts';

export type PackageRow = {
  number: number;
  table: TableName;
  id: string | null;
  file: string;
  line: number;
  /** JSON text. */
  row: string;
  links: readonly PackageLink[];
};

/** A row names a row of another table. `table` is null if it may be any table. */
export type PackageLink = { field: string; target: string; table: TableName | null };

export type StoredRow = { number: number; id: string | null; file: string; line: number; row: string };
/** How many rows of one table name missing rows of another, and the first of them. */
export type DanglingReference = {
  from: TableName;
  field: string;
  to: TableName;
  count: number;
  id: string | null;
  file: string;
  line: number;
};

/**
 * Temporary tables of one connection. The parts of a service may be anywhere in a package, and a package may be too
 * large for the memory of this process.
 */
export async function withPackageTables<T>(db: Db, use: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`
      create temporary table package_rows (
        number integer primary key, table_name text, id text, file text, line integer, row text)`.execute(
      connection,
    );
    try {
      await sql`
        create temporary table package_links (row_number integer, field text, target text, target_table text)`.execute(
        connection,
      );
      return await use(connection);
    } finally {
      await sql`drop table if exists package_rows, package_links`.execute(connection);
    }
  });
}

export async function addPackageRows(connection: Db, rows: readonly PackageRow[]): Promise<void> {
  await sql`
    insert into package_rows select * from unnest(${rows.map((each) => each.number)}::integer[],
      ${rows.map((each) => each.table)}::text[], ${rows.map((each) => each.id)}::text[],
      ${rows.map((each) => each.file)}::text[], ${rows.map((each) => each.line)}::integer[],
      ${rows.map((each) => each.row)}::text[])`.execute(connection);
  const links = rows.flatMap(({ number, links: rowLinks }) => rowLinks.map((link) => ({ number, ...link })));
  await sql`
    insert into package_links select * from unnest(${links.map((each) => each.number)}::integer[],
      ${links.map((each) => each.field)}::text[], ${links.map((each) => each.target)}::text[],
      ${links.map((each) => each.table)}::text[])`.execute(connection);
}

/** Call it after the last row, so that rows are sorted only once. */
export async function indexPackageTables(connection: Db): Promise<void> {
  await sql`create index on package_rows (table_name, id)`.execute(connection);
  await sql`create index on package_rows (table_name, number)`.execute(connection);
  await sql`create index on package_links (target, field)`.execute(connection);
  await sql`create index on package_links (row_number)`.execute(connection);
  await sql`analyze package_rows, package_links`.execute(connection);
}

/** Gives services the organisation of their location. Ohana's services name only their location, which names the organisation. */
export async function inheritOrganizations(connection: Db): Promise<void> {
  await sql`
    with inherited as (
      select distinct on (s.number) s.number, run_by.target
      from package_rows s
      join package_links of_service on of_service.target = s.id and of_service.field = 'service_id'
      join package_links at_place on at_place.row_number = of_service.row_number and at_place.field = 'location_id'
      join package_rows place on place.table_name = 'location' and place.id = at_place.target
      join package_links run_by on run_by.row_number = place.number and run_by.field = 'organization_id'
      where s.table_name = 'service'
        and not exists (select from package_links l where l.row_number = s.number and l.field = 'organization_id')
      order by s.number, of_service.row_number),
    named as (
      update package_rows r set row = (r.row::jsonb || jsonb_build_object('organization_id', inherited.target))::text
      from inherited where r.number = inherited.number)
    insert into package_links select number, 'organization_id', target, 'organization' from inherited`.execute(
    connection,
  );
}

export async function findRowsAfter(
  connection: Db,
  table: TableName,
  after: number,
  limit: number,
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select number, id, file, line, row from package_rows where table_name = ${table} and number > ${after}
    order by number limit ${limit}`.execute(connection);
  return rows;
}

/** The first row for each of these ids. */
export async function findRowsById(
  connection: Db,
  table: TableName,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select distinct on (id) number, id, file, line, row from package_rows
    where table_name = ${table} and id = any(${ids}) order by id, number`.execute(connection);
  return rows;
}

/** The rows of a table that refer to one of these ids in a field, in their order. */
export async function findReferringRows(
  connection: Db,
  table: TableName,
  field: string,
  ids: readonly string[],
): Promise<(StoredRow & { target: string })[]> {
  const { rows } = await sql<StoredRow & { target: string }>`
    select l.target, r.number, r.id, r.file, r.line, r.row
    from package_links l join package_rows r on r.number = l.row_number
    where l.target = any(${ids}) and l.field = ${field} and r.table_name = ${table} order by r.number`.execute(
    connection,
  );
  return rows;
}

/**
 * Rows that refer to something missing from the package, counted by what they refer to, with the first of each.
 * Tables that the package does not have at all are ignored.
 */
export async function findDanglingRows(connection: Db): Promise<DanglingReference[]> {
  const { rows } = await sql<DanglingReference>`
    with dangling as (
      select r.number, r.table_name, r.id, r.file, r.line, l.field, l.target_table
      from package_links l join package_rows r on r.number = l.row_number
      where l.target_table in (select distinct table_name from package_rows)
        and not exists (select from package_rows t where t.table_name = l.target_table and t.id = l.target))
    select distinct on (table_name, field, target_table) table_name as "from", field, target_table as "to", id, file, line,
      count(*) over (partition by table_name, field, target_table)::integer as count
    from dangling order by table_name, field, target_table, number`.execute(connection);
  return rows;
}

/** Rows of `table` to which no row of `byTable` refers in `field`. */
export async function findUnreferencedRows(
  connection: Db,
  { table, field, byTable }: { table: TableName; field: string; byTable: TableName },
  after: number,
  limit: number,
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select t.number, t.id, t.file, t.line, t.row from package_rows t
    where t.table_name = ${table} and t.number > ${after} and t.id is not null and not exists (
      select from package_links l join package_rows r on r.number = l.row_number
      where l.target = t.id and l.field = ${field} and r.table_name = ${byTable})
    order by t.number limit ${limit}`.execute(connection);
  return rows;
}
