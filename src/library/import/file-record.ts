/** Where a record stands: on a line of the file, or of a file in a package, or as which entry of a feed's page. */
export type Place = { line: number; file?: string; page?: number };

/**
 * A record of what is imported, or why there is none. A `part` is something that hangs on a record, such as a telephone
 * number: the record itself may be well.
 */
export type FileRecord = Place &
  ({ value: unknown } | { reason: string; id?: string; pointer?: string; part?: true });

/** “line 3 of phones.csv”, “entry 7 of page 2”. */
export function placeInWords({ line, file, page }: Place): string {
  if (page !== undefined) return `entry ${line} of page ${page}`;
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`;
}

export function placeOf({ line, file, page }: Place): Place {
  return { line, ...(file !== undefined && { file }), ...(page !== undefined && { page }) };
}
