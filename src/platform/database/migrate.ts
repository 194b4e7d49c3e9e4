import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { StartupError } from '../process/startup-error.ts';
import { addExtensions } from './add-extensions.ts';
import type { Db, Trx } from './connect.ts';
import { isLockTimeout, tablesLocked } from './errors.ts';
import { tableExists } from './table-exists.ts';

/** Migrations by their numbered names, such as `0001-baseline`, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** How databases from before the baseline are brought to it. */
export type EarlierVersions = {
  /** The names of the migrations that made the oldest version carried over. */
  oldestMigrations: readonly string[];
  /** Makes the empty tables of that version, so that one of its backups can be loaded into them. */
  makeTables: (db: Kysely<unknown>) => Promise<void>;
  /** The migrations from that version to the tables of the baseline. */
  steps: Migrations;
};

export type MigrationHistory = {
  /** The baseline, which makes all tables at once, and what came after it. */
  current: Migrations;
  earlier: EarlierVersions;
  /** Runs after the last migration: fills rows that only today’s code can derive. Migrations import no code of `src/`. */
  afterwards: (trx: Trx) => Promise<void>;
};

/** PostgreSQL 15, as `server_version_num` writes it. */
export const minServerVersion = 150_000;

/** @param subject which server it is, such as `It is`. */
export function serverTooOld(subject: string, version: string): StartupError {
  const oldest = Math.floor(minServerVersion / 10_000);
  return new StartupError(`${subject} a PostgreSQL ${version}; Onward needs ${oldest} or newer.`);
}

const lockTimeoutMs = 30_000;
/** Any number that no other program on the same database is likely to take. */
const migrationLock = 4_120_961_773;

/**
 * Brings the database up to this version's tables. Processes that start together take turns. A database that is up to
 * date costs three short queries.
 * @throws StartupError when the server is too old, or the tables are from a newer version of Onward, or from one that is
 *   older than those carried over.
 */
export async function migrate(db: Db, pool: pg.Pool, history: MigrationHistory): Promise<void> {
  await checkServer(db);
  const applied = await appliedMigrations(db);
  requireKnownMigrations(history, applied);
  const currentNames = Object.keys(history.current);
  const [baseline] = currentNames;
  // Unknown migrations were refused above, so an equal number after the same baseline means an up-to-date database.
  if (applied.length === currentNames.length && applied[0] === baseline) return;
  await withMigrationPool(pool, async (migrationPool) => {
    await addExtensionsAndQueue(migrationPool);
    const names = await appliedMigrations(migrationPool.db);
    if (names.length > 0 && !names.includes(baseline!)) await carryOverToBaseline(migrationPool.db, history);
    const current = appendAfterwards(history, await appliedMigrations(migrationPool.db));
    await runMigrations(migrationPool.db, current);
  });
}

/**
 * Makes empty tables as an earlier version had them, to load one of its backups.
 * @param names the migrations that version had. @throws StartupError if no version had these.
 */
export async function createTablesOfVersion(
  db: Db,
  pool: pg.Pool,
  history: MigrationHistory,
  names: readonly string[],
): Promise<void> {
  await checkServer(db);
  requireKnownMigrations(history, names);
  await withMigrationPool(pool, async (migrationPool) => {
    await addExtensionsAndQueue(migrationPool);
    const { current, earlier } = history;
    if (names.every((name) => name in current)) return runMigrations(migrationPool.db, pick(current, names));
    if ((await appliedMigrations(migrationPool.db)).length === 0)
      await createOldestTables(migrationPool.db, earlier);
    await runMigrations(migrationPool.db, {
      ...asApplied(earlier.oldestMigrations),
      ...pick(earlier.steps, names),
    });
  });
}

/**
 * @throws StartupError if a database or backup with these migrations is of a newer version than this one, or of a
 *   version older than those carried over.
 */
export function requireKnownMigrations(
  { current, earlier }: MigrationHistory,
  names: readonly string[],
  thing: 'database' | 'backup' = 'database',
): void {
  const known = new Set([...earlier.oldestMigrations, ...Object.keys({ ...earlier.steps, ...current })]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw newerThanThisVersion(thing, unknown);
  const oldest = earlier.oldestMigrations.at(-1)!;
  if (names.length === 0 || names.includes(oldest) || names.every((name) => name in current)) return;
  throw new StartupError(
    `The ${thing} was made by an old version of Onward (its last migration is ${names.at(-1)}). The version of Onward at commit e7dc646 brings it up to ` +
      `${oldest}: ${thing === 'backup' ? 'restore it there and make a new backup' : 'start that version on it once'}. Then use this version.`,
  );
}

function newerThanThisVersion(thing: 'database' | 'backup', unknown: string): StartupError {
  if (thing === 'backup')
    return new StartupError(
      `The backup was made by a newer version of Onward (it has ${unknown}). Restore it with that version or a newer one.`,
    );
  return new StartupError(
    `The database was made by a newer version of Onward (it has ${unknown}, which this version does not know). ` +
      'Run that version or a newer one on it, or set ONWARD_DATA_DIR or ONWARD_DATABASE_URL to another database.',
  );
}

/** Brings a database from before the baseline to the tables of the baseline, and notes that it has them. */
async function carryOverToBaseline(
  db: Kysely<unknown>,
  { current, earlier }: MigrationHistory,
): Promise<void> {
  await runMigrations(db, { ...asApplied(earlier.oldestMigrations), ...earlier.steps });
  const baseline = Object.keys(current)[0]!;
  await db.transaction().execute(async (trx) => {
    await sql`delete from onward_migrations`.execute(trx);
    await sql`insert into onward_migrations (name, timestamp) values (${baseline}, ${new Date().toISOString()})`.execute(
      trx,
    );
  });
}

/** Makes the oldest version's tables, and records the migrations that made them. */
async function createOldestTables(
  db: Kysely<unknown>,
  { oldestMigrations, makeTables }: EarlierVersions,
): Promise<void> {
  // Without any migration it makes the table that lists them.
  await runMigrations(db, {});
  await db.transaction().execute(async (trx) => {
    await makeTables(trx);
    await sql`
      insert into onward_migrations (name, timestamp)
      select name, ${new Date().toISOString()} from unnest(${oldestMigrations}::text[]) as name`.execute(trx);
  });
}

/** The current migrations, with `afterwards` in the transaction of the last: if it failed alone, no later start would run it again. */
function appendAfterwards({ current, afterwards }: MigrationHistory, applied: readonly string[]): Migrations {
  const last = Object.keys(current).findLast((name) => !applied.includes(name));
  if (last === undefined) return current;
  const up: Migration['up'] = async (db) => {
    await current[last]!.up(db);
    // All pending migrations run in one transaction, so `db` is a Trx. Its locks last until the end.
    await afterwards(db as Trx);
  };
  return { ...current, [last]: { up } };
}

/** For migrations that a database has already: the migrator wants their names, and never runs them. */
function asApplied(names: readonly string[]): Migrations {
  return Object.fromEntries(names.map((name) => [name, { up: async () => undefined }]));
}

function pick(migrations: Migrations, names: readonly string[]): Migrations {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}

/** Whether a migration of Onward was ever run on the database. */
export async function hasOnwardTables(db: Db): Promise<boolean> {
  return (await appliedMigrations(db)).length > 0;
}

type MigrationPool = { db: Kysely<unknown>; pool: pg.Pool };

/**
 * Lends connections without the limit on a statement's time that requests have: making an index on a large table may
 * take an hour. A lock that another program keeps is waited for only a short time, since everybody else queues behind it.
 * Processes that start together are let in one after the other.
 */
async function withMigrationPool(
  pool: pg.Pool,
  use: (migrationPool: MigrationPool) => Promise<void>,
): Promise<void> {
  const migrationPool = new pg.Pool({
    ...pool.options,
    // pg makes `password` non-enumerable, so the spread above drops it.
    password: pool.options.password,
    max: 3,
    onConnect: (client) => client.query(`set statement_timeout = 0; set lock_timeout = ${lockTimeoutMs}`),
  });
  migrationPool.on('error', () => undefined);
  migrationPool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: migrationPool }) });
  try {
    const lockConnection = await migrationPool.connect();
    await lockConnection.query('set lock_timeout = 0');
    await lockConnection.query(`select pg_advisory_lock(${migrationLock})`);
    try {
      await use({ db, pool: migrationPool });
    } finally {
      // Closing the connection gives the lock back.
      lockConnection.release(true);
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw tablesLocked('this version of Onward must change');
  } finally {
    await migrationPool.end();
  }
}

/** PostgreSQL's extensions and the job queue's own tables. */
async function addExtensionsAndQueue({ db, pool }: MigrationPool): Promise<void> {
  await addExtensions(db);
  const { runMigrations: addQueue } = await import('graphile-worker');
  await addQueue({ pgPool: pool });
}

async function runMigrations(db: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'onward_migrations',
    migrationLockTableName: 'onward_migrations_lock',
    // Several people add migrations at once, so a lower number may land after a higher one was applied. No migration may therefore
    // write a list whole that another one adds to (CONTRIBUTING.md).
    allowUnorderedMigrations: true,
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
  if (version < minServerVersion) throw serverTooOld('ONWARD_DATABASE_URL names', text);
}

/** The names of the migrations that made the database's tables, in order; none if Onward has not used it. */
export async function appliedMigrations(db: Pick<Db, 'getExecutor'>): Promise<string[]> {
  if (!(await tableExists(db, 'onward_migrations'))) return [];
  const { rows } = await sql<{ name: string }>`select name from onward_migrations order by name`.execute(db);
  return rows.map((row) => row.name);
}
