import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { tables } from './tables.ts';
import { upgrades } from './upgrade-row.ts';

export type ZippedFile = { path: string; size: number; open(): Promise<Readable> };

const maxFiles = 1000;
const gigabyte = 1024 ** 3;
const maxTotalBytes = 4 * gigabyte;
/** Tables shrink to a tenth, at best to a thirtieth. Far more than that is meant to fill a disk. */
const maxCompressionRatio = 200;
const uncheckedBytes = 1024 ** 2;

/**
 * The files of a zip. Sizes are checked before anything is unpacked, and reading a file that is longer than stated ends
 * with an error. The names in the zip are never used as paths on this machine.
 * @throws Problem `unprocessable` for a zip that is damaged, encrypted or too large.
 */
export async function openZip(path: string): Promise<{ files: ZippedFile[]; close(): void }> {
  // Loaded with the first zip, so that the process starts faster.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    const entries = await list(zip);
    check(entries);
    const files = entries.map((entry) => ({
      path: entry.fileName,
      size: entry.uncompressedSize,
      open: () => zip.openReadStreamPromise(entry),
    }));
    return { files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function list(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      entries.push(entry);
      if (entries.length > maxFiles) break;
    }
  } catch (error) {
    refuse(error as Error);
  }
  return entries;
}

function check(entries: readonly Entry[]): void {
  const fail = (detail: string): never => {
    throw new Problem(unprocessable, detail);
  };
  if (entries.length > maxFiles) fail(`The zip holds more than ${maxFiles} files.`);
  if (entries.some((entry) => entry.isEncrypted())) fail('The zip is encrypted: pack it without a password.');
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > maxTotalBytes) fail('The zip would unpack to more than 4 gigabytes.');
  const bomb = entries.some(
    ({ uncompressedSize, compressedSize }) =>
      uncompressedSize > uncheckedBytes && uncompressedSize > maxCompressionRatio * compressedSize,
  );
  if (bomb) fail(`The zip would unpack to more than ${maxCompressionRatio} times its size.`);
}

/** We never pass on yauzl's message, because it quotes the file. */
function refuse(_error: Error): never {
  throw new Problem(unprocessable, 'The zip is damaged, cut short, or has file names that lead out of it.');
}

/** Files that a package may contain and that we do not use. */
export const ignoredFiles = new Set(['meta_table_description', 'meta_table_descriptions']);

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
export function tableOf(path: string, described: ReadonlyMap<string, string>): string | undefined {
  return tableNames.get(described.get(path) ?? '') ?? tableNames.get(baseName(path));
}

export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\.csv$/, '');
}

/** Reads from `datapackage.json` which path is which table. For other files their names tell. */
export function describedFiles(text: string): Map<string, string> {
  const found = new Map<string, string>();
  try {
    const { resources } = JSON.parse(text) as { resources?: unknown };
    for (const resource of Array.isArray(resources) ? resources : []) {
      const { name, path } = (resource ?? {}) as { name?: unknown; path?: unknown };
      if (typeof name === 'string' && typeof path === 'string') found.set(path, name.toLowerCase());
    }
  } catch {
    // We can do without it: the names of the files tell as well.
  }
  return found;
}
