/**
 * A backup is one file, packed with gzip, whose checksums reveal a damaged file or one that was cut off. It has a line of JSON
 * about the site; then each table as a line of JSON and its rows as PostgreSQL's COPY writes them, ended by `\.`; then a last
 * line of JSON. People can read it with zcat, and psql can load a table of it without Onward.
 */
export type BackupHeader = {
  readonly format: typeof backupFormat;
  readonly made_at: string;
  readonly mode: 'test' | 'live';
  readonly site_name: string;
  /** A keyed hash by which the site key of the backup is recognised. Elsewhere it is called the key’s fingerprint. */
  readonly site_key_mark: string;
  /** The migrations that made the tables, in order. */
  readonly migrations: readonly string[];
  readonly sequences: readonly SequenceState[];
};

export const backupFormat = 'onward-backup-1';

/** The position of a sequence. */
export type SequenceState = {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
};

/** A table by its name as SQL writes it, and those of its columns that are stored and not computed. */
export type BackupTable = { readonly table: string; readonly columns: readonly string[] };

export type BackupTrailer = { readonly end: true; readonly rows: Readonly<Record<string, number>> };

/** As a byte. */
export const lineBreak = 10;

export const endOfRows = '\\.\n';

export const backupLine = (value: BackupHeader | BackupTable | BackupTrailer): string =>
  `${JSON.stringify(value)}\n`;
