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

/** That a row names a row of another table, which is null where any may be meant. */
export type PackageLink = { field: string; target: string; table: TableName | null };

export type FoundRow = { number: number; id: string | null; file: string; line: number; row: string };
export type Dangling = { id: string | null; file: string; line: number; field: string; table: TableName };

/**
 * Tables of one connection, gone with it: a package says only at its end what hangs together, and may be larger than
 * this process should ever be.
 */
export async function withPackageTables<T>(db: Db, use: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`
      create temporary table package_rows (
        number integer primary key, table_name text, id text, file text, line integer, row text)`.execute(
      connection,
    );
    await sql`
      create temporary table package_links (row_number integer, field text, target text, target_table text)`.execute(
      connection,
    );
    try {
      return await use(connection);
    } finally {
      await sql`drop table package_rows, package_links`.execute(connection);
    }
  });
}

export async function addPackageRows(connection: Db, rows: readonly PackageRow[]): Promise<void> {
  await sql`
    insert into package_rows select * from unnest(${rows.map((each) => each.number)}::integer[],
      ${rows.map((each) => each.table)}::text[], ${rows.map((each) => each.id)}::text[],
      ${rows.map((each) => each.file)}::text[], ${rows.map((each) => each.line)}::integer[],
      ${rows.map((each) => each.row)}::text[])`.execute(connection);
  const links = rows.flatMap(({ number, links: its }) => its.map((link) => ({ number, ...link })));
  await sql`
    insert into package_links select * from unnest(${links.map((each) => each.number)}::integer[],
      ${links.map((each) => each.field)}::text[], ${links.map((each) => each.target)}::text[],
      ${links.map((each) => each.table)}::text[])`.execute(connection);
}

/** Once all rows are in, so that they are sorted once. */
export async function indexPackageTables(connection: Db): Promise<void> {
  await sql`create index on package_rows (table_name, id)`.execute(connection);
  await sql`create index on package_links (target, field)`.execute(connection);
  await sql`create index on package_links (row_number)`.execute(connection);
  await sql`analyze package_rows, package_links`.execute(connection);
}

export async function findRowsAfter(
  connection: Db,
  table: TableName,
  after: number,
  limit: number,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select number, id, file, line, row from package_rows where table_name = ${table} and number > ${after}
    order by number limit ${limit}`.execute(connection);
  return rows;
}

/** The rows with these ids, the first of each. */
export async function findRowsById(
  connection: Db,
  table: TableName,
  ids: readonly string[],
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select distinct on (id) number, id, file, line, row from package_rows
    where table_name = ${table} and id = any(${ids}) order by id, number`.execute(connection);
  return rows;
}

/** The rows of a table that name one of these ids in a field, in their order. */
export async function findRowsNaming(
  connection: Db,
  table: TableName,
  field: string,
  ids: readonly string[],
): Promise<(FoundRow & { target: string })[]> {
  const { rows } = await sql<FoundRow & { target: string }>`
    select l.target, r.number, r.id, r.file, r.line, r.row
    from package_links l join package_rows r on r.number = l.row_number
    where l.target = any(${ids}) and l.field = ${field} and r.table_name = ${table} order by r.number`.execute(
    connection,
  );
  return rows;
}

/** What names something that the package should have and has not. Of tables that it lacks altogether nothing is asked. */
export async function findDangling(connection: Db, limit: number): Promise<Dangling[]> {
  const { rows } = await sql<Dangling>`
    select r.id, r.file, r.line, l.field, l.target_table as "table"
    from package_links l join package_rows r on r.number = l.row_number
    where l.target_table in (select distinct table_name from package_rows)
      and not exists (select from package_rows t where t.table_name = l.target_table and t.id = l.target)
    order by r.number, l.field limit ${limit}`.execute(connection);
  return rows;
}

/** Rows that no row of a table names in a field. */
export async function findUnnamedAfter(
  connection: Db,
  { table, field, byTable }: { table: TableName; field: string; byTable: TableName },
  after: number,
  limit: number,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select t.number, t.id, t.file, t.line, t.row from package_rows t
    where t.table_name = ${table} and t.number > ${after} and t.id is not null and not exists (
      select from package_links l join package_rows r on r.number = l.row_number
      where l.target = t.id and l.field = ${field} and r.table_name = ${byTable})
    order by t.number limit ${limit}`.execute(connection);
  return rows;
}
