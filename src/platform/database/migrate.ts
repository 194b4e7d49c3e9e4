import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import { addExtensions } from './add-extensions.ts';
import type { Db } from './connect.ts';

/** Migrations by their numbered names, such as `0001-audit`, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

const minServerVersion = 150_000;
const lockPatienceMs = 30_000;
const lockNotAvailable = '55P03';

/**
 * Brings the database up to this version's tables. Processes that start together take turns (Kysely's migrator locks).
 * On a database that is up to date it costs one query.
 * @throws StartupError when the server is too old, or its tables are from a newer version of Onward.
 */
export async function migrate(db: Db, pool: pg.Pool, migrations: Migrations): Promise<void> {
  await checkServer(db);
  const known = Object.keys(migrations);
  const applied = await appliedMigrations(db);
  const strange = applied.find((name) => !known.includes(name));
  if (strange !== undefined) {
    throw new StartupError(
      `The database was made by a newer version of Onward (it has ${strange}, which this version does not know). ` +
        'Run that version or a newer one on it, or set ONWARD_DATA_DIR or ONWARD_DATABASE_URL to another database.',
    );
  }
  if (applied.length === known.length) return;
  await withPatientPool(pool, (patient) => applyMigrations(patient, migrations));
}

/** Whether there is anything of Onward in the database. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await appliedMigrations(db)).length > 0;
}

/**
 * Lends connections without the limit on a statement's time that requests have: making an index on a large table may
 * take an hour. A lock that another program keeps is waited for only shortly, since everybody else queues behind it.
 */
async function withPatientPool(pool: pg.Pool, use: (patient: pg.Pool) => Promise<void>): Promise<void> {
  const patient = new pg.Pool({
    ...pool.options,
    // The pool hides it from spreading.
    password: pool.options.password,
    max: 2,
    onConnect: (client) => client.query(`set statement_timeout = 0; set lock_timeout = ${lockPatienceMs}`),
  });
  patient.on('error', () => undefined);
  patient.on('connect', (client) => client.on('error', () => undefined));
  try {
    await use(patient);
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    throw new StartupError(
      'Another program keeps the tables locked that this version of Onward has to change. Stop it (an Onward of an ' +
        'earlier version, a backup, an open session of psql), then start Onward again.',
    );
  } finally {
    await patient.end();
  }
}

async function applyMigrations(pool: pg.Pool, migrations: Migrations): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await addExtensions(db);
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: pool });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'onward_migrations',
    migrationLockTableName: 'onward_migrations_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function checkServer(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; text: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as text`.execute(
    db,
  );
  const { version, text } = rows[0]!;
  if (version < minServerVersion) {
    throw new StartupError(`ONWARD_DATABASE_URL names a PostgreSQL ${text}; Onward needs 15 or newer.`);
  }
}

/** The names of the migrations that made the database's tables, in order; none where Onward has not been. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('onward_migrations') is not null as there`.execute(db);
  if (!tables[0]!.there) return [];
  const { rows } = await sql<{ name: string }>`select name from onward_migrations order by name`.execute(db);
  return rows.map((row) => row.name);
}
