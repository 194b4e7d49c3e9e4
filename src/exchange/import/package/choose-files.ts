import { text } from 'node:stream/consumers';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { maxRecordLength } from '../read/split-lines.ts';
import type { ZippedFile } from './open-zip.ts';
import { tables } from './tables.ts';
import { upgrades } from './upgrade-row.ts';

/** A file of the package, and the table in it, as named by its version of HSDS. */
export type TableFile = { file: ZippedFile; kind: string };

/** The tables of a package, and the CSV files in it that are no table of HSDS. @throws Problem `unprocessable` if none has services */
export async function chooseFiles(
  files: readonly ZippedFile[],
): Promise<{ files: TableFile[]; unknown: string[] }> {
  const description = files.find(
    ({ path, size }) => /(^|\/)datapackage\.json$/i.test(path) && size <= maxRecordLength,
  );
  const namesByPath = readDescription(description ? await text(await description.open()) : '');
  const csv = files.filter(
    ({ path }) => path.toLowerCase().endsWith('.csv') && !path.startsWith('__MACOSX/'),
  );
  const tableFiles = csv.flatMap((file) => {
    const kind = tableOf(file.path, namesByPath);
    return kind === undefined ? [] : [{ file, kind }];
  });
  if (!tableFiles.some(({ kind }) => kind === 'service')) {
    throw new Problem(unprocessable, 'The zip file is not an HSDS data package: it has no services.csv.');
  }
  const unknown = csv
    .map(({ path }) => path)
    .filter(
      (path) => !ignoredFiles.has(baseName(path)) && !tableFiles.some(({ file }) => file.path === path),
    );
  return { files: tableFiles, unknown };
}

/** Files that a package may contain and that we do not use. */
const ignoredFiles = new Set(['meta_table_description', 'meta_table_descriptions']);

const irregularNames: Readonly<Record<string, string>> = {
  services_at_location: 'service_at_location',
  services_at_locations: 'service_at_location',
  services_taxonomy: 'service_taxonomy',
  services_taxonomies: 'service_taxonomy',
  payments_accepted: 'payment_accepted',
  organisation: 'organization',
  mail_address: 'postal_address',
  mail_addresses: 'postal_address',
  organisations: 'organization',
};

const tableNames = new Map<string, string>(Object.entries(irregularNames));
for (const name of [...Object.keys(tables), ...Object.keys(upgrades)]) {
  for (const each of [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')]) tableNames.set(each, name);
}

/** The table in a file, of any version of HSDS, by its name in `datapackage.json` or by the name of the file. */
function tableOf(path: string, namesByPath: ReadonlyMap<string, string>): string | undefined {
  return tableNames.get(namesByPath.get(path) ?? '') ?? tableNames.get(baseName(path));
}

function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\.csv$/, '');
}

/** Reads from `datapackage.json` the name of the table at each path. A file that it does not list is known by its own name. */
function readDescription(text: string): Map<string, string> {
  const tablesByPath = new Map<string, string>();
  try {
    const { resources } = JSON.parse(text) as { resources?: unknown };
    for (const resource of Array.isArray(resources) ? resources : []) {
      const { name, path } = (resource ?? {}) as { name?: unknown; path?: unknown };
      if (typeof name === 'string' && typeof path === 'string') tablesByPath.set(path, name.toLowerCase());
    }
  } catch {
    // Not needed: the names of the files say it too.
  }
  return tablesByPath;
}
