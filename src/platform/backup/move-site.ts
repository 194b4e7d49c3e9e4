import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  addExtensions,
  type Database,
  type Db,
  findRestoreInProgress,
  inTransaction,
  type MigrationHistory,
  markRestore,
  minServerVersion,
  readSiteFacts,
  renewRestoreMark,
  serverTooOld,
  type Trx,
} from '../database/index.ts';
import { StartupError } from '../process/startup-error.ts';
import type { SiteSecrets } from '../secrets/index.ts';
import type { Settings } from '../settings/index.ts';
import { listSequences, listTables } from './list-tables.ts';
import { restoreBackup } from './restore-backup.ts';
import { type BackupReport, writeBackup } from './write-backup.ts';

export type Move = {
  /** Nobody else may use it meanwhile: what they change would be left behind. */
  source: Database;
  target: Database;
  siteId: string;
  settings: Settings;
  secrets: SiteSecrets;
  migrations: MigrationHistory;
  at: Date;
};

type MoveSteps = {
  onTable: (table: string) => void;
  /** The last step, in the transaction after which the target can serve the site. */
  finish: (trx: Trx) => Promise<void>;
};

/**
 * Moves a site to an empty database: a backup is restored there and compared with the original. If the move is interrupted,
 * the original is unchanged, and no site starts on the target. Running it again starts from the beginning.
 * @throws StartupError if the target cannot take the site.
 */
export async function moveSite(move: Move, { onTable, finish }: MoveSteps): Promise<BackupReport> {
  const { source, target, settings, secrets, migrations, at } = move;
  await prepareTarget(move);
  const file = join(settings.dataDir, 'moving.backup');
  const removeFile = () => Promise.all([file, `${file}.part`].map((each) => rm(each, { force: true })));
  // A run that was killed leaves it behind.
  await removeFile();
  try {
    await writeBackup({ database: source, settings, secrets, at }, file, {
      begin: async () => undefined,
      onTable,
    });
    await markMove(move);
    return await restoreBackup(
      {
        database: target,
        settings,
        secrets,
        migrations,
        async finish(trx) {
          await requireSameContent(source.db, trx);
          await finish(trx);
        },
      },
      file,
      onTable,
    );
  } finally {
    await removeFile();
  }
}

async function markMove({ target, siteId, at }: Move): Promise<void> {
  const begun = await findRestoreInProgress(target.db);
  if (begun) await renewRestoreMark(target.db, at.toISOString());
  else await markRestore(target.db, at.toISOString(), siteId);
}

async function prepareTarget({ source, target, siteId }: Move): Promise<void> {
  try {
    await requireUsableTarget(target.db);
    if ((await serverStartTime(source.db)) === (await serverStartTime(target.db)))
      throw new StartupError('It is in the site’s own PostgreSQL.');
    await requireEmpty(target.db, siteId);
    await addExtensions(target.db);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    throw new StartupError(`The site cannot move to this database. ${error.message}`);
  }
}

async function requireUsableTarget(db: Db): Promise<void> {
  const { rows } = await sql<{
    number: number;
    version: string;
    encoding: string;
    schema: string | null;
    role: string;
    mayMakeTables: boolean;
    hasJobsSchema: boolean;
    mayMakeJobs: boolean;
  }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, current_schema() as schema, current_user as role,
      coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), false)
        as "mayMakeTables",
      exists (select from pg_namespace where nspname = 'graphile_worker') as "hasJobsSchema",
      coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'graphile_worker'),
        has_database_privilege(current_database(), 'create')) as "mayMakeJobs"`.execute(db);
  const { number, version, encoding, schema, role, mayMakeTables, hasJobsSchema, mayMakeJobs } = rows[0]!;
  if (number < minServerVersion) throw serverTooOld('It is', version);
  if (encoding !== 'UTF8')
    throw new StartupError(`Its encoding is ${encoding}, and names need UTF8. Make it with: ENCODING 'UTF8'`);
  const missing = [
    ...(mayMakeTables ? [] : ['tables in the schema public']),
    ...(mayMakeJobs
      ? []
      : [hasJobsSchema ? 'tables in the schema graphile_worker' : 'the schema graphile_worker']),
  ];
  const remedy =
    mayMakeTables && hasJobsSchema
      ? `Make it the owner of that schema: ALTER SCHEMA graphile_worker OWNER TO "${role}"`
      : `Make it the owner of the database: ALTER DATABASE … OWNER TO "${role}"; deploy/database.sql does so.`;
  if (missing.length > 0)
    throw new StartupError(`The role ${role} may not create ${missing.join(' or ')}. ${remedy}`);
  if (schema !== 'public')
    throw new StartupError(
      `The role ${role} would make its tables in the schema ${schema ?? '(none)'}. Set its search_path to public.`,
    );
}

/** Tells servers apart: hardly any two started in the same microsecond. */
async function serverStartTime(db: Db): Promise<string> {
  const { rows } = await sql<{ started: string }>`
    select extract(epoch from pg_postmaster_start_time())::text as started`.execute(db);
  return rows[0]!.started;
}

/** Refuses a target that holds anything, except an interrupted move of this site. */
async function requireEmpty(db: Db, siteId: string): Promise<void> {
  const mark = await findRestoreInProgress(db);
  if (mark?.movedSite === siteId) return;
  if (mark)
    throw new StartupError('A restore or another site’s move was interrupted there. Name an empty database.');
  const { id } = await readSiteFacts(db);
  if (id === siteId)
    throw new StartupError('It has this site already, or a copy of it. Name an empty database.');
  if (id !== undefined) throw new StartupError(`It belongs to site ${id}. Name an empty database.`);
  const [first, ...others] = await listRelations(db);
  if (first === undefined) return;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new StartupError(`It is not empty: there is ${first}${more}. Name an empty database.`);
}

/**
 * Tables, views and sequences, without those of extensions. An administrator may have created graphile_worker.migrations for a role
 * that cannot create schemas.
 */
async function listRelations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws StartupError naming the first table or sequence that differs. */
async function requireSameContent(source: Db, target: Trx): Promise<void> {
  const [original, copy] = await Promise.all([
    inTransaction(source, readContent),
    inTransaction(target, readContent),
  ]);
  const names = new Set([...Object.keys(original), ...Object.keys(copy)]);
  const different = [...names].find((name) => original[name] !== copy[name]);
  if (different === undefined) return;
  throw new StartupError(
    `${different} is not the same in the copy (${copy[different] ?? 'missing'}) as in the original (${original[different] ?? 'missing'}). ` +
      'The site can go on with its own PostgreSQL. Run the command again; if it says the same, make a new empty database first.',
  );
}

/** What is in each table and sequence, as checksums that both servers compute alike. */
async function readContent(trx: Trx): Promise<Record<string, string>> {
  // A large table takes longer than a request may, and the faster side waits for the other.
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
  // Servers write the same moment, float and bytes in the same way under the same settings.
  await sql`set local timezone = 'UTC'`.execute(trx);
  await sql`set local datestyle = 'ISO'`.execute(trx);
  await sql`set local intervalstyle = 'postgres'`.execute(trx);
  await sql`set local extra_float_digits = 1`.execute(trx);
  await sql`set local bytea_output = 'hex'`.execute(trx);
  const content: Record<string, string> = {};
  for (const { table, columns } of await listTables(trx)) {
    // Independent of the order of rows and columns, which may differ between the two.
    const { rows } = await sql<{ rows: string; checksum: string }>`
      select count(*)::text as rows,
        coalesce(sum(('x' || encode(substr(sha256(convert_to(r::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text as checksum
      from (select ${sql.raw([...columns].sort().join(', '))} from ${sql.raw(table)}) as r`.execute(trx);
    content[table] = `${rows[0]!.rows} rows, checksum ${rows[0]!.checksum}`;
  }
  for (const { name, last_value, is_called } of await listSequences(trx))
    content[name] = `${last_value}, ${is_called ? 'used' : 'not used yet'}`;
  return content;
}
