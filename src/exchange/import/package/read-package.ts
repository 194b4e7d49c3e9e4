import type { Db } from '../../../platform/database/index.ts';
import { listsFromTexts } from '../check/leave-out-parts.ts';
import type { FileRecord } from '../model/record.ts';
import { type AssembledRow, assemble } from './assemble.ts';
import { chooseFiles } from './choose-files.ts';
import { openZip } from './open-zip.ts';
import {
  type DanglingReference,
  findDanglingRows,
  findRowsAfter,
  findUnreferencedRows,
  indexPackageTables,
  inheritOrganizations,
  type StoredRow,
} from './package-store.ts';
import { stageTables } from './stage-tables.ts';
import type { TableName } from './tables.ts';
import { completePart, upgradeServiceToHsds3 } from './upgrade-service.ts';

const batchSize = 500;

/**
 * Reads an HSDS tabular data package: a zip with a CSV file for each table, of any version from 1.0 on. The tables go
 * into the database first, because the parts of a service may be in any file, before or after it.
 * @throws Problem `unprocessable` if it is not such a package.
 */
export async function* readPackage(
  connection: Db,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<FileRecord> {
  const zip = await openZip(path);
  try {
    const { files, unknown } = await chooseFiles(zip.files);
    for (const file of unknown) yield { line: 1, file, reason: 'is not a table of HSDS', part: true };
    yield* stageTables(connection, files, signal);
  } finally {
    zip.close();
  }
  await indexPackageTables(connection);
  await inheritOrganizations(connection);
  for (const dangling of await findDanglingRows(connection)) yield danglingNote(dangling);
  yield* services(connection);
  yield* standalone(connection);
}

/** Such rows do no harm, so the report counts them and nothing is rejected. */
function danglingNote({ from, field, to, count, id, file, line }: DanglingReference): FileRecord {
  const words = (rows: number) =>
    `${rows} ${rows === 1 ? 'row' : 'rows'} of ${from} ${rows === 1 ? 'names' : 'name'} ${to === 'organization' ? 'an' : 'a'} ` +
    `${to} that the package does not have, and stand${rows === 1 ? 's' : ''} by ${rows === 1 ? 'itself' : 'themselves'}.`;
  const note = { code: `dangling ${from} ${field}`, words };
  return { line, file, note, count, pointer: `/${field}`, ...(id !== null && { id }) };
}

async function* services(connection: Db): AsyncGenerator<FileRecord> {
  const all = readAssembledRows(connection, 'service', (after) =>
    findRowsAfter(connection, 'service', after, batchSize),
  );
  for await (const { line, file, value } of all) {
    const { service, listsFromTexts: count } = upgradeServiceToHsds3(value);
    if (count > 0)
      yield {
        line,
        file,
        note: listsFromTexts,
        count,
        ...(typeof service.id === 'string' && { id: service.id }),
      };
    yield { line, file, value: service };
  }
}

/** Organisations and terms that no service uses. */
async function* standalone(connection: Db): AsyncGenerator<FileRecord> {
  for (const query of [
    { table: 'organization', field: 'organization_id', byTable: 'service' },
    { table: 'taxonomy_term', field: 'taxonomy_term_id', byTable: 'attribute' },
  ] as const) {
    const rows = readAssembledRows(connection, query.table, (after) =>
      findUnreferencedRows(connection, query, after, batchSize),
    );
    for await (const row of rows) yield record(query.table, row);
  }
}

/** Reads rows with their nested parts, in batches, because a package may be too large for the memory. @param find finds the next rows. */
async function* readAssembledRows(
  connection: Db,
  table: TableName,
  find: (after: number) => Promise<StoredRow[]>,
): AsyncGenerator<AssembledRow> {
  for (let after = 0; ; ) {
    const rows = await find(after);
    if (rows.length === 0) return;
    yield* await assemble(connection, table, rows);
    after = rows.at(-1)!.number;
  }
}

function record(name: string, { line, file, value }: AssembledRow): FileRecord {
  completePart(value, String(value.id));
  return { line, file, value: { [name]: value } };
}
