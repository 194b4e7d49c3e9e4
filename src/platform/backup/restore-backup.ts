import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Database, isMigrated, type Migrations, migrate } from '../database/index.ts';
import { type SiteSecrets, siteKeyMark } from '../secrets/index.ts';
import type { Settings } from '../settings/index.ts';
import { StartupError } from '../startup-error.ts';
import type { BackupHeader, BackupTable, BackupTrailer } from './backup-format.ts';
import { listTables } from './catalogue.ts';
import { readBackup } from './read-backup.ts';
import { type BackupReport, onClient, reportOf } from './write-backup.ts';

type Target = { database: Database; settings: Settings; secrets: SiteSecrets; migrations: Migrations };

/**
 * Brings back a site as a backup has it, into a database in which Onward has not been. All of it or nothing: the file is
 * read to its end before anything is written, and then loaded in one transaction. Tables of an older version are made as
 * they were, loaded, and then brought up to date.
 * @param onTable is told each table's name before it is loaded.
 * @throws StartupError where the file is no whole backup of a site of this mode, key and version, or the site is not new.
 */
export async function restoreBackup(
  target: Target,
  file: string,
  onTable: (table: string) => void,
): Promise<BackupReport> {
  const { database, migrations } = target;
  if (await isMigrated(database.db)) {
    throw new StartupError(
      'There is a site here already. Restore into an empty data directory or database: set ONWARD_DATA_DIR or ' +
        'ONWARD_DATABASE_URL, and put the site key of the backup’s site in its place first.',
    );
  }
  const header = await readToEnd(target, file);
  await migrate(database.db, database.pool, only(migrations, header.migrations));
  const { rows } = await load(target, file, onTable);
  await migrate(database.db, database.pool, migrations);
  return reportOf(rows);
}

/** Looks whether the file is whole and meant for here. */
async function readToEnd(target: Target, file: string): Promise<BackupHeader> {
  let found: BackupHeader | undefined;
  await readBackup(
    file,
    async (header) => {
      found = header;
      refuseUnlessMeantFor(target, header);
    },
    async (_table, rows) => {
      for await (const _chunk of rows);
    },
  );
  return found!;
}

function refuseUnlessMeantFor({ settings, secrets, migrations }: Target, header: BackupHeader): void {
  if (header.mode !== settings.mode) {
    throw new StartupError(
      `The backup is of a ${header.mode} site, and ONWARD_MODE is ${settings.mode}. People’s data stays on live sites, and made-up data off them.`,
    );
  }
  const unknown = header.migrations.find((name) => !(name in migrations));
  if (unknown !== undefined) {
    throw new StartupError(
      `The backup was made by a newer version of Onward (it has ${unknown}). Restore it with that version or a newer one.`,
    );
  }
  if (header.site_key_mark !== siteKeyMark(secrets).toString('hex')) {
    throw new StartupError(
      `The site key ${settings.siteKeyFile} is not the one of the backup’s site. Put that one there first: under another no API key and no sealed value could be read.`,
    );
  }
}

function only(migrations: Migrations, names: readonly string[]): Migrations {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}

async function load(
  { database }: Target,
  file: string,
  onTable: (table: string) => void,
): Promise<BackupTrailer> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const trailer = await loadTables(client, file, onTable);
    await client.query('commit');
    return trailer;
  } finally {
    // Closed and not given back: whatever was not committed is undone with it.
    client.release(true);
  }
}

async function loadTables(
  client: pg.PoolClient,
  file: string,
  onTable: (table: string) => void,
): Promise<BackupTrailer> {
  const expected = new Map((await listTables(onClient(client))).map((each) => [each.table, each]));
  // Triggers answer to people's changes; and some tables begin with rows that the backup has as they became.
  for (const table of expected.keys()) {
    await client.query(`alter table ${table} disable trigger user`);
  }
  for (const table of [...expected.keys()].reverse()) await client.query(`delete from ${table}`);
  const loaded: Record<string, number> = {};
  let sequences: BackupHeader['sequences'] = [];
  const trailer = await readBackup(
    file,
    async (header) => {
      sequences = header.sequences;
    },
    async (each, rows) => {
      onTable(each.table);
      loaded[each.table] = await loadRows(client, known(each, expected), rows);
    },
  );
  for (const [table, count] of Object.entries(trailer.rows)) {
    if (loaded[table] !== count) throw new Error(`${table} has another number of rows than the backup says`);
  }
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [name, last_value, is_called]);
  }
  for (const table of expected.keys()) {
    await client.query(`alter table ${table} enable trigger user`);
  }
  return trailer;
}

/** The names go into SQL as they stand, so that only those are taken which the database itself gave. */
function known(given: BackupTable, expected: ReadonlyMap<string, BackupTable>): BackupTable {
  const columns = expected.get(given.table)?.columns;
  if (columns && given.columns.every((column) => columns.includes(column))) return given;
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
