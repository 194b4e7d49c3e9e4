import type { Db } from '../../../platform/database/index.ts';
import type { FileRecord } from '../file-record.ts';
import type { ZippedFile } from './open-zip.ts';
import { addPackageRows, type PackageLink, type PackageRow } from './package-store.ts';
import { readTable, type TableLine } from './read-table.ts';
import { fieldTargets, numberFields, type TableName, tables } from './tables.ts';
import { type StagedRow, upgrades } from './upgrade-row.ts';

/** A file of the package, and the table that it is of in its own version of HSDS. */
export type TableFile = { file: ZippedFile; kind: string };

const batchSize = 2000;

/** Reads every table into the package's tables; what cannot be read is handed back. */
export async function* stageTables(connection: Db, files: readonly TableFile[]): AsyncGenerator<FileRecord> {
  let number = 0;
  let batch: PackageRow[] = [];
  for (const { file, kind } of files) {
    for await (const line of readTable(await file.open())) {
      if ('reason' in line) {
        // Which service a broken row was, or was of, nobody knows.
        yield { line: line.line, file: file.path, reason: line.reason };
        continue;
      }
      number += 1;
      batch.push(packageRow(number, file.path, line, upgraded(kind, line.row)));
      if (batch.length < batchSize) continue;
      await addPackageRows(connection, batch);
      batch = [];
    }
  }
  await addPackageRows(connection, batch);
}

function upgraded(kind: string, row: Record<string, string>): StagedRow {
  return upgrades[kind]?.(row) ?? { table: kind as TableName, row };
}

function packageRow(
  number: number,
  file: string,
  { line }: TableLine,
  { table, row }: StagedRow,
): PackageRow {
  const kept: Record<string, unknown> = {};
  const links: PackageLink[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue;
    const link = linkOf(table, name, value, row);
    if (link) links.push(link);
    kept[name] = numberFields.has(name) ? numberOf(value) : value;
  }
  const id = typeof row.id === 'string' ? row.id : null;
  return { number, table, id, file, line, row: JSON.stringify(kept), links };
}

function linkOf(
  table: TableName,
  field: string,
  target: string,
  { link_entity }: Record<string, unknown>,
): PackageLink | undefined {
  if (field === 'link_id' && table === 'attribute') {
    const named = typeof link_entity === 'string' && Object.hasOwn(tables, link_entity) ? link_entity : null;
    return { field, target, table: named as TableName | null };
  }
  if (field === 'resource_id' && table === 'metadata') return { field, target, table: null };
  const named = fieldTargets.get(field);
  return named === undefined ? undefined : { field, target, table: named };
}

/** As a number where it is one; else as it is, to be refused with its place by the check of the record. */
function numberOf(value: string): number | string {
  return /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
