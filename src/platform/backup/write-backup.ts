import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { appliedMigrations, type Database, type Db } from '../database/index.ts';
import { StartupError } from '../process/startup-error.ts';
import { type SiteSecrets, siteKeyFingerprint } from '../secrets/index.ts';
import type { Settings } from '../settings/index.ts';
import { type BackupTable, backupFormat, backupLine, endOfRows, lineBreak } from './backup-format.ts';
import { listSequences, listTables } from './list-tables.ts';

export type BackupReport = { tables: number; rows: number };

type Source = { database: Database; settings: Settings; secrets: SiteSecrets; at: Date };

type Progress = {
  /** Called once the file can be written, before anything is read for it. */
  begin: () => Promise<void>;
  /** Called with each table's name before it is read. */
  onTable: (table: string) => void;
};

/**
 * Writes the whole site, as it is at one moment, to a new file that only its owner may read. The site goes on meanwhile. The
 * site key is not in it, since the file and the key together reveal everything; nor are letters in the document folder.
 * @throws StartupError if the file exists already or cannot be written.
 */
export async function writeBackup(
  source: Source,
  file: string,
  { begin, onTable }: Progress,
): Promise<BackupReport> {
  const partFile = `${file}.part`;
  await refuseExisting(file);
  const rowCounts: Record<string, number> = {};
  try {
    await using output = await open(partFile, 'wx', 0o600);
    await begin();
    await pipeline(
      Readable.from(backupBytes(source, rowCounts, onTable)),
      createGzip({ level: 6 }),
      output.createWriteStream({ flush: true }),
    );
    await rename(partFile, file);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') await rm(partFile, { force: true });
    if (code === undefined || path === undefined) throw error;
    throw new StartupError(`The backup cannot be written (${whyNot(code, partFile)}).`);
  }
  return reportOf(rowCounts);
}

function whyNot(code: string, partFile: string): string {
  if (code === 'EEXIST')
    return `${partFile} already exists: another backup is being written, or was interrupted`;
  return code === 'ENOENT' ? `there is no folder ${dirname(partFile)}` : code;
}

/** @param rowCounts by the names of the tables. */
export function reportOf(rowCounts: Readonly<Record<string, number>>): BackupReport {
  const counts = Object.values(rowCounts);
  return { tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0) };
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartupError(`The backup cannot be written to ${file} (${error.code}).`);
  });
  if (!existing) return;
  await existing.close();
  throw new StartupError(`${file} already exists. A backup never overwrites a file: choose another name.`);
}

async function* backupBytes(
  { database, settings, secrets, at }: Source,
  rowCounts: Record<string, number>,
  onTable: (table: string) => void,
): AsyncGenerator<Buffer | string> {
  const client = await database.pool.connect();
  try {
    // One snapshot for all tables. The limits on time are for requests: a slow disk may need longer between two tables.
    await client.query('begin isolation level repeatable read, read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const db = onClient(client);
    const tables = await listTables(db);
    yield backupLine({
      format: backupFormat,
      made_at: at.toISOString(),
      mode: settings.mode,
      site_name: settings.siteName,
      site_key_mark: siteKeyFingerprint(secrets).toString('hex'),
      migrations: await appliedMigrations(db),
      sequences: await listSequences(db),
    });
    for (const each of tables) {
      onTable(each.table);
      yield backupLine(each);
      yield* rowsOf(client, each, rowCounts);
      yield endOfRows;
    }
    yield backupLine({ end: true, rows: rowCounts });
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

/** COPY writes a line break within a value as `\n`, so each line is a row. */
async function* rowsOf(
  client: pg.PoolClient,
  { table, columns }: BackupTable,
  rowCounts: Record<string, number>,
): AsyncGenerator<Buffer> {
  let count = 0;
  const copying: AsyncIterable<Buffer> = client.query(
    copyTo(`copy ${table} (${columns.join(', ')}) to stdout`),
  );
  for await (const chunk of copying) {
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, at + 1)) count += 1;
    yield chunk;
  }
  rowCounts[table] = count;
}

/** Kysely on one connection, whose transaction is open already. */
export function onClient(client: pg.PoolClient): Db {
  const pool = {
    connect: async () => ({ query: client.query.bind(client), release: () => undefined }),
    end: async () => undefined,
  };
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}
