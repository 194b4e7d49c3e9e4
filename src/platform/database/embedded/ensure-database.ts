import type pg from 'pg';
import { callLock } from './advisory-locks.ts';
import { DATABASE, USER } from './connection.ts';
import { diskFull, errorCode } from './explain-failure.ts';

/**
 * Makes the site's database in a new cluster. Its sessions are told to keep their errors out of the server's log:
 * `invalid input syntax for type date: "…"` quotes what a person typed, and the program that asked gets it anyway.
 * The database is made last, so that where it exists all of this is done.
 */
export async function ensureDatabase(client: pg.Client, cluster: string): Promise<void> {
  if (await databaseExists(client)) return;
  // Two processes starting at once would otherwise trip over each other's changes.
  await callLock(client, 'pg_advisory_lock', 'making');
  try {
    if (await databaseExists(client)) return;
    await client.query(`alter role ${USER} set log_min_messages = 'log'`);
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    throw errorCode(error) === '53100' ? diskFull(cluster) : error;
  } finally {
    await callLock(client, 'pg_advisory_unlock', 'making').catch(() => undefined);
  }
}

async function databaseExists(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  return rowCount === 1;
}
