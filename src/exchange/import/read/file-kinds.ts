import { Problem, unprocessable } from '../../../platform/problem/index.ts';

/** The kinds of file that people hand to the wrong import. */
export type FileKind = 'services' | 'practices' | 'postcodes' | 'table' | 'csv' | 'zip' | 'page';

const rightImports: Readonly<Record<FileKind, string>> = {
  services: 'This is JSON: import services with “library import”, or on the page /operator/library',
  practices:
    'This is a CSV file of GP practices, not Open Referral: import GP practices with “practices import”, or on the page /operator/library/lists/practices',
  postcodes:
    'This is a CSV file of postcodes, not Open Referral: import postcodes with “postcodes import”, or on the page /operator/library/lists/postcodes',
  table:
    'This is one table of an HSDS data package: pack it with the package’s other CSV files into a zip, and import that with “library import”, or on the page /operator/library',
  csv: 'This is a CSV file, not Open Referral: import GP practices with “practices import” or at /operator/library/lists/practices, and postcodes with “postcodes import” or at /operator/library/lists/postcodes; import services of an HSDS data package as a zip of its CSV files',
  zip: 'This is a zip: unpack it, or if it is an HSDS data package, import it with “library import”, or on the page /operator/library',
  page: 'This is a web page or XML, not Open Referral: it may be the page of an error, or one that links to the file',
};

/**
 * Refuses a file of another kind with one clear message, instead of an error for each of its lines. A file of an unknown kind passes.
 * @throws Problem `unprocessable`
 */
export function refuseOtherKinds(beginning: Buffer, expected: readonly FileKind[]): void {
  const kind = fileKind(beginning);
  if (kind !== undefined && !expected.includes(kind))
    throw new Problem(unprocessable, `${describeRightImport(kind)}.`);
}

/** The first bytes of a zip. */
export const zipMark = Buffer.from('PK\x03\x04');

/** Tells the kind of a file by its beginning. */
export function fileKind(beginning: Buffer): FileKind | undefined {
  if (beginning.subarray(0, 4).equals(zipMark)) return 'zip';
  const text = beginning.toString('utf8').replace(/^\ufeff?\s*/, '');
  if (text.startsWith('<')) return 'page';
  if (/^[{[]/.test(text)) return 'services';
  const [line = ''] = text.split(/\r?\n/, 1);
  if (!/^"?\w[\w /-]*"?\s*[,;\t]/.test(line)) return undefined;
  return csvKind(line.split(/[,;\t]/).map((name) => name.replaceAll('"', '').trim().toLowerCase()));
}

function csvKind(names: readonly string[]): FileKind {
  const has = (...candidates: string[]) => candidates.some((name) => names.includes(name));
  if (has('ods_code')) return 'practices';
  if (has('service_id', 'organization_id', 'location_id', 'taxonomy_id') || (has('id') && has('name')))
    return 'table';
  return has('postcode', 'pcds', 'pcd') && has('latitude', 'lat', 'longitude', 'long') ? 'postcodes' : 'csv';
}

/** Says in one sentence what the file is and where to import it. */
export function describeRightImport(kind: FileKind): string {
  return rightImports[kind];
}
