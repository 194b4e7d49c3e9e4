import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { neededExtensions } from '../add-extensions.ts';
import { isLockTimeout, tablesLocked } from '../errors.ts';
import {
  appRole,
  connectUnlessGone,
  type DatabaseConnection,
  maintenanceDatabase,
  siteDatabase,
  superuserName,
} from './connection.ts';
import { diskFull, errorCode } from './failures.ts';
import { callLock } from './lease.ts';

/** The site's own tables, and those of its jobs. */
const schemas = ['public', 'graphile_worker'];
const noRights = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * Makes the role that the site connects as and the site's database, if they are missing, and prepares the database
 * for that role.
 * @param client a superuser's connection to the maintenance database.
 * @param connection how a superuser connects to the site's database.
 * @param beforeHandOver is called if the database exists and the role does not: an earlier version made it.
 */
export async function ensureDatabase(
  client: pg.Client,
  connection: DatabaseConnection,
  cluster: string,
  beforeHandOver?: (superuser: DatabaseConnection) => Promise<void>,
): Promise<void> {
  // Two processes that start at once take turns.
  await callLock(client, 'pg_advisory_lock', 'making');
  try {
    const databases = await client.query('select from pg_database where datname = $1', [siteDatabase]);
    const roles = await client.query('select from pg_roles where rolname = $1', [appRole]);
    const exists = databases.rowCount !== 0;
    // Never if the role exists: it could have put a view in the place of a table, for the superuser to read.
    if (exists && roles.rowCount === 0) await beforeHandOver?.(connection);
    await ensureAppRole(client, connection.password);
    // The database is made last: if it exists, the roles have their settings.
    if (!exists) await client.query(`create database ${siteDatabase}`);
    await prepareDatabase(connection);
  } catch (error) {
    throw errorCode(error) === '53100' ? diskFull(cluster) : error;
  } finally {
    await callLock(client, 'pg_advisory_unlock', 'making').catch(() => undefined);
  }
}

/** The password of the site's role is derived from the superuser's, which cannot be derived from it. */
export function appPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(appRole).digest('base64url');
}

async function ensureAppRole(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query<{ isCorrect: boolean }>(
    `select rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) as "isCorrect"
      from pg_roles where rolname = $1`,
    [appRole],
  );
  if (rows[0]?.isCorrect) return;
  if (rows[0]) return void (await client.query(`alter role ${appRole} login ${noRights}`));
  const secret = client.escapeLiteral(appPassword(password));
  // In one transaction, so that the role never exists without its password and settings.
  await client.query(`
    begin;
    create role ${appRole} login ${noRights} password ${secret};
    ${[appRole, superuserName].map(keepErrorsOutOfLog).join('')}
    revoke connect on database ${maintenanceDatabase}, template1 from public;
    commit`);
}

/**
 * `invalid input syntax for type date: "…"` quotes what a person typed. The level `log` ranks above `error`, so errors are not
 * logged; the program that asked receives them anyway.
 */
const keepErrorsOutOfLog = (role: string) => `alter role ${role} set log_min_messages = 'log';`;

async function prepareDatabase(connection: DatabaseConnection): Promise<void> {
  const client = await connectUnlessGone(connection, `onward set-up ${process.pid}`);
  if (client === undefined) throw new Error('PostgreSQL stopped while its database was being prepared');
  try {
    await handOver(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Prepares the site's database for the role that the site connects as, which lacks the rights to do it: makes the
 * extensions and the schema of the jobs, and makes the role the owner of everything in the schemas. In databases of
 * earlier versions the superuser owned it. If nothing is left to do, it only reads.
 * @param client a superuser's connection to the site's database.
 */
export async function handOver(client: pg.Client): Promise<void> {
  // The role owns the schemas, and could have made a function there that has the name of one of PostgreSQL's own.
  await client.query('set search_path = pg_catalog');
  if (await isHandedOver(client)) return;
  await client.query(`begin; set local lock_timeout = '5s'`);
  try {
    for (const extension of neededExtensions)
      await client.query(`create extension if not exists ${extension} schema public`);
    await makeJobsSchema(client);
    for (const object of await objectsNotOwnedByApp(client))
      await client.query(`alter ${object} owner to ${appRole}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if (!isLockTimeout(error)) throw error;
    throw tablesLocked('Onward must hand over to its own database role');
  }
}

async function isHandedOver(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isPrepared: boolean }>(
    `select (select count(*) from pg_extension where extname = any($1)) = cardinality($1::text[])
      and to_regclass('graphile_worker.migrations') is not null as "isPrepared"`,
    [neededExtensions],
  );
  return rows[0]!.isPrepared && (await objectsNotOwnedByApp(client)).length === 0;
}

/**
 * graphile-worker creates its schema unless it finds its table of migrations, and the role may not create schemas. It has no option to
 * leave the schema out (docs/packages.md), so this table is the one that it would make. A test compares them.
 */
async function makeJobsSchema(client: pg.Client): Promise<void> {
  await client.query('create schema if not exists graphile_worker');
  await client.query(`
    create table if not exists graphile_worker.migrations (
      id int primary key, ts timestamptz not null default now(), breaking boolean not null default false)`);
}

/**
 * What another role than the site's owns in its schemas, each written as ALTER expects it: a branch for each kind of object. `parts`
 * are left out: what belongs to an extension stays the superuser's, and a sequence or type of a table changes owner with the table.
 */
async function objectsNotOwnedByApp(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(
    `with here as (select oid, nspname, nspowner from pg_namespace where nspname = any($1)),
      app as (select oid from pg_roles where rolname = $2),
      parts as (select classid, objid from pg_depend where deptype in ('e', 'i')
        or deptype = 'a' and classid = 'pg_class'::regclass and objid in (select oid from pg_class where relkind = 'S'))
    select format('schema %I', nspname) as object from here, app where nspowner <> app.oid
    union all
    select format('%s %s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      c.oid::regclass)
    from app, pg_class c join here on here.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S') and relowner <> app.oid and ('pg_class'::regclass, c.oid) not in (select * from parts)
    union all
    select format('routine %s', p.oid::regprocedure) from app, pg_proc p join here on here.oid = pronamespace
    where proowner <> app.oid and ('pg_proc'::regclass, p.oid) not in (select * from parts)
    union all
    select format('type %s', t.oid::regtype) from app, pg_type t join here on here.oid = typnamespace
    where typowner <> app.oid and ('pg_type'::regclass, t.oid) not in (select * from parts)
    union all
    select format('text search dictionary %s', d.oid::regdictionary) from app, pg_ts_dict d join here on here.oid = dictnamespace
    where dictowner <> app.oid and ('pg_ts_dict'::regclass, d.oid) not in (select * from parts)
    union all
    select format('text search configuration %s', f.oid::regconfig) from app, pg_ts_config f join here on here.oid = cfgnamespace
    where cfgowner <> app.oid and ('pg_ts_config'::regclass, f.oid) not in (select * from parts)`,
    [schemas, appRole],
  );
  return rows.map(({ object }) => object);
}
