import { text } from 'node:stream/consumers';
import type { Db } from '../../../platform/database/index.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { FileRecord } from '../file-record.ts';
import { longestRecord } from '../split-lines.ts';
import { type Assembled, assemble } from './assemble.ts';
import { baseName, describedFiles, passedOver, tableOf } from './file-names.ts';
import { finishService } from './finish-service.ts';
import { openZip, type ZippedFile } from './open-zip.ts';
import { findDangling, findRowsAfter, findUnnamed, indexPackageTables } from './package-store.ts';
import { stageTables, type TableFile } from './stage-tables.ts';

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
  for (let after = 0; ; ) {
    const rows = await findRowsAfter(connection, 'service', after, batchSize);
    if (rows.length === 0) return;
    for (const { line, file, value } of await assemble(connection, 'service', rows))
      yield { line, file, value: finishService(value) };
    after = rows.at(-1)!.number;
  }
}

/** What no service has: organisations, and terms. */
async function* loose(connection: Db): AsyncGenerator<FileRecord> {
  const organizations = await findUnnamed(connection, 'organization', 'organization_id', 'service');
  for (const each of await assemble(connection, 'organization', organizations))
    yield record('organization', each);
  const terms = await findUnnamed(connection, 'taxonomy_term', 'taxonomy_term_id', 'attribute');
  for (const each of await assemble(connection, 'taxonomy_term', terms)) yield record('taxonomy_term', each);
}

function record(name: string, { line, file, value }: Assembled): FileRecord {
  return { line, file, value: { [name]: value } };
}
