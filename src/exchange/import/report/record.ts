import { type Static, Type } from 'typebox';
import { organization, taxonomy, taxonomyTerm } from '../../../library/index.ts';

/** Where a record stands: on a line of the file, or of a file in a package, or as which entry of a feed's page. */
export type Place = { line: number; file?: string; page?: number };

/**
 * Something that is said once, with how many records or parts it is true of, such as that times were read from words. The
 * first of them is its example.
 */
export type NoteKind = { readonly code: string; words(count: number): string };

/**
 * A record to import, or why it cannot be read. A `part` belongs to a record, such as a telephone number; the record
 * itself may be fine. A `note` is not a record: it is reported once, with a count.
 */
export type FileRecord = Place &
  (
    | { value: unknown }
    | { reason: string; id?: string; pointer?: string; part?: true }
    | { note: NoteKind; count?: number; id?: string; pointer?: string }
  );

/** “line 3 of phones.csv”, “entry 7 of page 2”. */
export function placeInWords({ line, file, page }: Place): string {
  if (page !== undefined) return `entry ${line} of page ${page}`;
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`;
}

export function placeOf({ line, file, page }: Place): Place {
  return { line, ...(file !== undefined && { file }), ...(page !== undefined && { page }) };
}

/**
 * What the library holds and no service carries: organisations without services, terms and taxonomies that are not in
 * use. HSDS has no lines for them beside services, so an export gives each a line that says what it is:
 * `{"organization": {…}}`. Readers that know services alone refuse just these.
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

/** Which of them a record is, if it is one. */
export function standaloneKind(value: object): StandaloneKind | undefined {
  const [key, ...more] = Object.keys(value);
  return more.length === 0 && key !== undefined && Object.hasOwn(standaloneSchemas, key)
    ? (key as StandaloneKind)
    : undefined;
}

export function isStandalone(value: unknown): boolean {
  return typeof value === 'object' && value !== null && standaloneKind(value) !== undefined;
}
