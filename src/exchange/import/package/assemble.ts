import type { Db } from '../../../platform/database/index.ts';
import { listFromText } from '../check/text-lists.ts';
import { findReferringRows, findRowsById, type StoredRow } from './package-store.ts';
import { fieldTargets, type TableName, tables } from './tables.ts';
import { fillLocationType } from './upgrade-service.ts';

export type AssembledRow = StoredRow & { value: Record<string, unknown> };

/** Nests rows of tables into records, level by level, with a few queries for all rows of a level. */
export async function assemble(
  connection: Db,
  table: TableName,
  rows: readonly StoredRow[],
): Promise<AssembledRow[]> {
  if (rows.length === 0) return [];
  const assembledRows = rows.map((row) => ({
    ...row,
    value: JSON.parse(row.row) as Record<string, unknown>,
  }));
  for (const { name, table: other, by } of tables[table].one ?? [])
    await nestOne(connection, assembledRows, name, other, by);
  for (const { name, table: other, by } of tables[table].many ?? [])
    await nestMany(connection, assembledRows, name, other, by);
  if (table !== 'metadata' && table !== 'attribute')
    await nestMany(connection, assembledRows, 'attributes', 'attribute', 'link_id', table);
  if (table !== 'metadata')
    await nestMany(connection, assembledRows, 'metadata', 'metadata', 'resource_id', table);
  if (table === 'location') for (const { value } of assembledRows) fillLocationType(value);
  return assembledRows;
}

async function nestOne(
  connection: Db,
  holders: readonly AssembledRow[],
  name: string,
  table: TableName,
  by: string,
): Promise<void> {
  const ids = [...new Set(holders.flatMap(({ value }) => (typeof value[by] === 'string' ? value[by] : [])))];
  if (ids.length === 0) return;
  const others = await assemble(connection, table, await findRowsById(connection, table, ids));
  const byId = new Map(others.map(({ id, value }) => [id, value]));
  for (const { value } of holders) {
    const other = byId.get(value[by] as string);
    if (other) value[name] = other;
  }
}

async function nestMany(
  connection: Db,
  assembledRows: readonly AssembledRow[],
  name: string,
  table: TableName,
  by: string,
  entity?: TableName,
): Promise<void> {
  const holders = new Map<string, AssembledRow>();
  for (const each of assembledRows) if (each.id !== null && !holders.has(each.id)) holders.set(each.id, each);
  const rows = await findReferringRows(connection, table, by, [...holders.keys()]);
  const targets = new Map(rows.map(({ number, target }) => [number, target]));
  for (const part of await assemble(connection, table, rows)) {
    // Ids are unique within a table only.
    const partOf = part.value.link_entity ?? part.value.resource_type;
    if (entity !== undefined && typeof partOf === 'string' && partOf in tables && partOf !== entity) continue;
    const holder = holders.get(targets.get(part.number)!)!;
    const present = holder.value[name] ?? [];
    const list: unknown[] =
      typeof present === 'string' ? (listFromText(name, present) ?? []) : (present as unknown[]);
    list.push(withoutLinks(part.value, by));
    holder.value[name] = list;
  }
}

/** A nested part need not name the thing that holds it. */
function withoutLinks(value: Record<string, unknown>, by: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name]) =>
        name !== by && (name === 'taxonomy_id' || name === 'taxonomy_term_id' || !fieldTargets.has(name)),
    ),
  );
}
