import { text } from 'node:stream/consumers';
import type { Db } from '../../../platform/database/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { FileRecord } from '../file-record.ts';
import { longestRecord } from '../split-lines.ts';
import { type Assembled, assemble } from './assemble.ts';
import { baseName, describedFiles, passedOver, tableOf } from './file-names.ts';
import { finishService } from './finish-service.ts';
import { openZip, type ZippedFile } from './open-zip.ts';
import {
  type FoundRow,
  findDangling,
  findRowsAfter,
  findUnnamedAfter,
  indexPackageTables,
} from './package-store.ts';
import { stageTables, type TableFile } from './stage-tables.ts';
import type { TableName } from './tables.ts';

const batchSize = 500;
const mostDangling = 1000;

/**
 * Reads an HSDS tabular data package: a zip with a CSV file for each table, of any version from 1.0 on. The tables go
 * into the database first, since what hangs on a service may stand in any file, before or after it.
 * @throws Problem `unprocessable` where it is no such package.
 */
export async function* readPackage(connection: Db, path: string): AsyncGenerator<FileRecord> {
  const zip = await openZip(path);
  try {
    const { files, unknown } = await chooseFiles(zip.files);
    for (const file of unknown) yield { line: 1, file, reason: 'is not a table of HSDS', part: true };
    yield* stageTables(connection, files);
  } finally {
    zip.close();
  }
  await indexPackageTables(connection);
  for (const { id, file, line, field, table } of await findDangling(connection, mostDangling)) {
    const reason = `names ${table === 'organization' ? 'an' : 'a'} ${table} that the package does not have`;
    yield { line, file, ...(id !== null && { id }), pointer: `/${field}`, reason, part: true };
  }
  yield* services(connection);
  yield* loose(connection);
}

async function chooseFiles(files: readonly ZippedFile[]): Promise<{ files: TableFile[]; unknown: string[] }> {
  const description = files.find(
    ({ path, size }) => /(^|\/)datapackage\.json$/i.test(path) && size <= longestRecord,
  );
  const described = describedFiles(description ? await text(await description.open()) : '');
  const csv = files.filter(
    ({ path }) => path.toLowerCase().endsWith('.csv') && !path.startsWith('__MACOSX/'),
  );
  const chosen = csv.flatMap((file) => {
    const kind = tableOf(file.path, described);
    return kind === undefined ? [] : [{ file, kind }];
  });
  if (!chosen.some(({ kind }) => kind === 'service')) {
    throw new Problem(unprocessable, 'The zip is no HSDS data package: it has no services.csv.');
  }
  const unknown = csv
    .map(({ path }) => path)
    .filter((path) => !passedOver.has(baseName(path)) && !chosen.some(({ file }) => file.path === path));
  return { files: chosen, unknown };
}

async function* services(connection: Db): AsyncGenerator<FileRecord> {
  const all = inBatches(connection, 'service', (after) =>
    findRowsAfter(connection, 'service', after, batchSize),
  );
  for await (const { line, file, value } of all) yield { line, file, value: finishService(value) };
}

/** What no service has: organisations, and terms. */
async function* loose(connection: Db): AsyncGenerator<FileRecord> {
  for (const unnamed of [
    { table: 'organization', field: 'organization_id', byTable: 'service' },
    { table: 'taxonomy_term', field: 'taxonomy_term_id', byTable: 'attribute' },
  ] as const) {
    const all = inBatches(connection, unnamed.table, (after) =>
      findUnnamedAfter(connection, unnamed, after, batchSize),
    );
    for await (const each of all) yield record(unnamed.table, each);
  }
}

/** A package may be larger than this process should ever be. @param find gives the rows after one, the next of them first */
async function* inBatches(
  connection: Db,
  table: TableName,
  find: (after: number) => Promise<FoundRow[]>,
): AsyncGenerator<Assembled> {
  for (let after = 0; ; ) {
    const rows = await find(after);
    if (rows.length === 0) return;
    yield* await assemble(connection, table, rows);
    after = rows.at(-1)!.number;
  }
}

function record(name: string, { line, file, value }: Assembled): FileRecord {
  return { line, file, value: { [name]: value } };
}
