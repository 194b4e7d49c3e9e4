import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { tables } from './tables.ts';
import { upgrades } from './upgrade-row.ts';

export type ZippedFile = { path: string; size: number; open(): Promise<Readable> };

const maxFiles = 1000;
const gigabyte = 1024 ** 3;
const maxTotalBytes = 4 * gigabyte;
/** Text of tables shrinks to a tenth, at best to a thirtieth; what claims far more is made to fill a disk. */
const maxCompressionRatio = 200;
const alwaysTakenBytes = 1024 ** 2;

/**
 * The files of a zip. Sizes are judged before anything is unpacked, and a file that turns out longer than it says ends
 * with an error. Nothing is written anywhere by the names that the zip gives.
 * @throws Problem `unprocessable` for what cannot or must not be unpacked.
 */
export async function openZip(path: string): Promise<{ files: ZippedFile[]; close(): void }> {
  // Loaded when the first zip is read: no start waits for it.
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
  const why = (detail: string): never => {
    throw new Problem(unprocessable, detail);
  };
  if (entries.length > maxFiles) why(`The zip holds more than ${maxFiles} files.`);
  if (entries.some((entry) => entry.isEncrypted())) why('The zip is encrypted: pack it without a password.');
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > maxTotalBytes) why('The zip would unpack to more than 4 gigabytes.');
  const bomb = entries.some(
    ({ uncompressedSize, compressedSize }) =>
      uncompressedSize > alwaysTakenBytes && uncompressedSize > maxCompressionRatio * compressedSize,
  );
  if (bomb) why(`The zip would unpack to more than ${maxCompressionRatio} times its size.`);
}

/** yauzl's messages quote what the file says. */
function refuse(_error: Error): never {
  throw new Problem(unprocessable, 'The zip is damaged, cut short, or has file names that lead out of it.');
}

/** Files that a package may contain and that we do not use. */
export const passedOver = new Set(['meta_table_description', 'meta_table_descriptions']);

const irregular: Readonly<Record<string, string>> = {
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

const known = new Map<string, string>(Object.entries(irregular));
for (const name of [...Object.keys(tables), ...Object.keys(upgrades)]) {
  for (const each of [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')]) known.set(each, name);
}

/** The table that a file is of, in any version: by its name in the package's description, or by its own. */
export function tableOf(path: string, described: ReadonlyMap<string, string>): string | undefined {
  return known.get(described.get(path) ?? '') ?? known.get(baseName(path));
}

export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.replace(/\.csv$/, '');
}

/** Of `datapackage.json`, which path is which table. Anything it lacks is guessed from the files' names. */
export function describedFiles(text: string): Map<string, string> {
  const found = new Map<string, string>();
  try {
    const { resources } = JSON.parse(text) as { resources?: unknown };
    for (const resource of Array.isArray(resources) ? resources : []) {
      const { name, path } = (resource ?? {}) as { name?: unknown; path?: unknown };
      if (typeof name === 'string' && typeof path === 'string') found.set(path, name.toLowerCase());
    }
  } catch {
    // Not needed: the files' names say it as well.
  }
  return found;
}
