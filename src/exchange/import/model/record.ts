import { type Static, Type } from 'typebox';
import { organization, taxonomy, taxonomyTerm } from '../../../library/index.ts';

/** Where a record is: its line in the file, or in a file of a package, or its entry on a page of a feed. */
export type FilePosition = { line: number; file?: string; page?: number };

/**
 * Something that the report says once for all records, with a count and the first one as an example. One kind is that
 * opening times were read from words.
 */
export type NoteKind = { readonly code: string; words(count: number): string };

/**
 * A record to import, or why it cannot be read. A `part` belongs to a record, such as a telephone number; the record
 * itself may be fine. A `note` is not a record: it is reported once, with a count.
 */
export type FileRecord = FilePosition &
  (
    | { value: unknown }
    | { reason: string; id?: string; pointer?: string; part?: true }
    | { note: NoteKind; count?: number; id?: string; pointer?: string }
  );

/** “line 3 of phones.csv”, “entry 7 of page 2”. */
export function positionInWords({ line, file, page }: FilePosition): string {
  if (page !== undefined) return `entry ${line} of page ${page}`;
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`;
}

export function positionOf({ line, file, page }: FilePosition): FilePosition {
  return { line, ...(file !== undefined && { file }), ...(page !== undefined && { page }) };
}

/**
 * Organisations without services, and unused terms and taxonomies. HSDS has no place for them beside services, so an
 * export writes each on a line that names its kind: `{"organization": {…}}`. Other readers reject only these lines.
 */
export const standaloneSchemas = {
  organization: Type.Object({ organization }),
  taxonomy: Type.Object({ taxonomy }),
  taxonomy_term: Type.Object({ taxonomy_term: taxonomyTerm }),
};

export type StandaloneKind = keyof typeof standaloneSchemas;
export type Standalone = {
  [Kind in StandaloneKind]: {
    kind: Kind;
    thing: Static<(typeof standaloneSchemas)[Kind]>[Kind & keyof Static<(typeof standaloneSchemas)[Kind]>];
  };
}[StandaloneKind];

/** The kind of a standalone record; undefined for other records. */
export function standaloneKind(value: object): StandaloneKind | undefined {
  const [key, ...more] = Object.keys(value);
  return more.length === 0 && key !== undefined && Object.hasOwn(standaloneSchemas, key)
    ? (key as StandaloneKind)
    : undefined;
}

export function isStandalone(value: unknown): boolean {
  return typeof value === 'object' && value !== null && standaloneKind(value) !== undefined;
}
