import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  createTablesOfVersion,
  type Database,
  findRestoreInProgress,
  hasOnwardTables,
  inTransaction,
  type MigrationHistory,
  type Mode,
  markRestore,
  migrate,
  recordMissingSiteFacts,
  removeRestoreMark,
  requireKnownMigrations,
  siteFactsOf,
  type Trx,
} from '../database/index.ts';
import { StartupError } from '../process/startup-error.ts';
import { type SiteSecrets, siteKeyFingerprint } from '../secrets/index.ts';
import type { Settings } from '../settings/index.ts';
import type { BackupHeader, BackupTable, BackupTrailer } from './backup-format.ts';
import { listTables } from './list-tables.ts';
import { type BackupPart, readBackup } from './read-backup.ts';
import { type BackupReport, onClient, reportOf } from './write-backup.ts';

type Target = {
  database: Database;
  settings: Settings;
  secrets: SiteSecrets;
  migrations: MigrationHistory;
  /** The backup's site key is lost. Values encrypted with it cannot be recovered; everything else is restored. */
  oldKeyIsLost?: boolean;
  /** The last step, in the transaction after which the site may start. */
  finish?: (trx: Trx, report: RestoreReport) => Promise<void>;
};

export type RestoreReport = BackupReport & { mode: Mode; madeAt: Date };

/**
 * Restores a site from a backup into a database that has no site yet: all of it, or nothing. The file is read to its
 * end before anything is written, and then loaded in one transaction. Tables of an older version are made as they were,
 * loaded, and then brought up to date. The site keeps its mode and id. If a restore is interrupted, run it again; no site
 * starts in between.
 * @param onTable is called with each table's name before it is loaded.
 * @throws StartupError if the file is not a complete backup made with this key, of a known version and of the mode in
 *   ONWARD_MODE; or if a site already exists.
 */
export async function restoreBackup(
  target: Target,
  file: string,
  onTable: (table: string) => void,
): Promise<RestoreReport> {
  const { database, migrations, secrets } = target;
  const restoreInProgress = await findRestoreInProgress(database.db);
  if (!restoreInProgress && (await hasOnwardTables(database.db))) throw siteAlreadyExists();
  const { header, mode, rowCounts } = await checkBackup(target, file);
  if (restoreInProgress) refuseOtherBackup(restoreInProgress.madeAt, header.made_at);
  else await markRestore(database.db, header.made_at);
  if (!restoreInProgress?.loaded) {
    await createTablesOfVersion(database.db, database.pool, migrations, header.migrations);
    await loadOnce(target, file, onTable);
  }
  await migrate(database.db, database.pool, migrations);
  await recordMissingSiteFacts(database.db, { mode, keyFingerprint: siteKeyFingerprint(secrets) });
  const report = { ...reportOf(rowCounts), mode, madeAt: new Date(header.made_at) };
  await inTransaction(database.db, async (trx) => {
    await target.finish?.(trx, report);
    await removeRestoreMark(trx);
  });
  return report;
}

function siteAlreadyExists(): StartupError {
  return new StartupError(
    'A site already exists here. Restore into an empty data directory or database: set ONWARD_DATA_DIR or ' +
      'ONWARD_DATABASE_URL, and put the site key of the backup’s site in its place first.',
  );
}

function refuseOtherBackup(earlier: string, backup: string): void {
  if (earlier === backup) return;
  throw new StartupError(
    `A restore of the backup of ${earlier} was cut off here, and this one is of ${backup}. Run it again with the same ` +
      'backup, or restore into an empty data directory or database.',
  );
}

/** Checks that the file is complete and belongs to this site. */
async function checkBackup(
  target: Target,
  file: string,
): Promise<{ header: BackupHeader; mode: Mode; rowCounts: BackupTrailer['rows'] }> {
  let header: BackupHeader | undefined;
  let trailer: BackupTrailer | undefined;
  let facts: ReadonlyMap<string, Buffer> = new Map();
  let hasRealReferrals = false;
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header;
    else if (part.kind === 'trailer') trailer = part.trailer;
    else if (part.table.table === 'public.site_facts') facts = await readFacts(part);
    else if (part.table.table === 'public.referrals') hasRealReferrals = await hasRealReferral(part);
    else await skip(part.rows);
  }
  // Only now: a damaged file can say anything, and its checksum comes last.
  refuseUnlessMeantFor(target, header!);
  // The header of a backup by an earlier version has what ONWARD_MODE was when it was made.
  const mode = siteFactsOf(facts).mode ?? (hasRealReferrals ? 'live' : header!.mode);
  refuseOtherMode(mode, target.settings);
  return { header: header!, mode, rowCounts: trailer!.rows };
}

type TableOfBackup = Extract<BackupPart, { kind: 'table' }>;

async function readFacts({ table, rows }: TableOfBackup): Promise<Map<string, Buffer>> {
  const name = table.columns.indexOf('name');
  const value = table.columns.indexOf('value');
  const facts = new Map<string, Buffer>();
  for await (const fields of fieldsOf(rows)) facts.set(fields[name]!, bytesOf(fields[value]!));
  return facts;
}

async function hasRealReferral({ table, rows }: TableOfBackup): Promise<boolean> {
  const simulated = table.columns.indexOf('simulated');
  let isFound = false;
  // All rows are read, because the next table of the backup begins after them.
  for await (const fields of fieldsOf(rows)) if (fields[simulated] === 'f') isFound = true;
  return isFound;
}

/** Reads rows and forgets them: a backup is read to its end, table by table. */
async function skip(rows: AsyncGenerator<Buffer>): Promise<void> {
  for await (const _ of rows);
}

/** The fields of each row as COPY writes them. */
async function* fieldsOf(rows: AsyncGenerator<Buffer>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of rows) {
    // Only ASCII characters matter here, so a character that is cut in two does no harm.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield line.split('\t');
  }
}

/** A bytea as COPY writes it: `\\x` and hexadecimal digits. */
function bytesOf(field: string): Buffer {
  return Buffer.from(field.replace(/^\\\\x/, ''), 'hex');
}

function refuseOtherMode(mode: Mode, { statedMode }: Settings): void {
  if (statedMode === undefined || statedMode === mode) return;
  throw new StartupError(
    `The backup is of a ${mode} site, and ONWARD_MODE is ${statedMode}. ` +
      'Real people’s data belongs on a live site, made-up data on a test site.',
  );
}

function refuseUnlessMeantFor(
  { settings, secrets, migrations, oldKeyIsLost }: Target,
  header: BackupHeader,
): void {
  requireKnownMigrations(migrations, header.migrations, 'backup');
  if (!oldKeyIsLost && header.site_key_mark !== siteKeyFingerprint(secrets).toString('hex')) {
    throw new StartupError(
      `The site key ${settings.siteKeyFile} is not the one of the backup’s site. Put that one there first: under another no API ` +
        'key and no sealed value could be read. If it is lost for good, add --old-key-is-lost.',
    );
  }
}

async function loadOnce({ database }: Target, file: string, onTable: (table: string) => void): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    // If two restores run at once, the second waits here, then finds the work done.
    const { rows } = await client.query<{ loaded: boolean }>('select loaded from onward_restore for update');
    if (!rows[0]) throw siteAlreadyExists();
    if (rows[0].loaded) return;
    await loadTables(client, file, onTable);
    await client.query('update onward_restore set loaded = true');
    await client.query('commit');
  } finally {
    // The connection is closed and not reused, so uncommitted changes are undone.
    client.release(true);
  }
}

async function loadTables(
  client: pg.PoolClient,
  file: string,
  onTable: (table: string) => void,
): Promise<void> {
  const expected = new Map((await listTables(onClient(client))).map((each) => [each.table, each]));
  // Triggers must not fire for restored rows. New tables may hold first rows, such as the synonyms; the backup has their
  // current state.
  for (const table of expected.keys()) {
    await client.query(`alter table ${table} disable trigger user`);
  }
  for (const table of [...expected.keys()].reverse()) await client.query(`delete from ${table}`);
  const loaded: Record<string, number> = {};
  let sequences: BackupHeader['sequences'] = [];
  let rowCounts: BackupTrailer['rows'] = {};
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') sequences = part.header.sequences;
    else if (part.kind === 'trailer') rowCounts = part.trailer.rows;
    else {
      const { table, rows } = part;
      onTable(table.table);
      loaded[table.table] = await loadRows(client, requireKnownColumns(table, expected), rows);
    }
  }
  for (const [table, count] of Object.entries(rowCounts)) {
    if (loaded[table] !== count)
      throw new Error(`${table} has a different number of rows from the one in the backup`);
  }
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [name, last_value, is_called]);
  }
  for (const table of expected.keys()) {
    await client.query(`alter table ${table} enable trigger user`);
  }
}

/** The names go into SQL unescaped, so only names that the database gave us are accepted. */
function requireKnownColumns(
  backupTable: BackupTable,
  expected: ReadonlyMap<string, BackupTable>,
): BackupTable {
  const columns = expected.get(backupTable.table)?.columns;
  if (columns && backupTable.columns.every((column) => columns.includes(column))) return backupTable;
  throw new StartupError('The backup has a table or column that its version of Onward does not have.');
}

async function loadRows(
  client: pg.PoolClient,
  { table, columns }: BackupTable,
  rows: AsyncGenerator<Buffer>,
): Promise<number> {
  const copying = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(rows), copying);
  return copying.rowCount;
}
