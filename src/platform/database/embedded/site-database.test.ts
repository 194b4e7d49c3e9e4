import { afterEach, describe, expect, it } from 'vitest';
import {
  endEmbedded,
  open,
  rowsOf,
  superuserOf,
  usedDirectory,
} from '../../../../test/database/embedded-databases.ts';
import { migrations } from '../../../site/migrations.ts';
import { createLog } from '../../log/index.ts';
import { connect, migrate } from '../index.ts';
import type { EmbeddedDatabase } from './keep-running.ts';

afterEach(endEmbedded);

const log = createLog('silent');

async function migrated({ connection }: Pick<EmbeddedDatabase, 'connection'>): Promise<void> {
  const { db, pool, close } = connect(connection, log);
  await migrate(db, pool, migrations);
  await close();
}

/** What another role than the site's owns in its schemas, apart from what belongs to extensions. */
const ofOthers = `
  select relname::text as name from pg_class c
    where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relowner <> 'onward_app'::regrole
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  union all
  select proname::text from pg_proc p
    where pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and proowner <> 'onward_app'::regrole
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all
  select typname::text from pg_type t
    where typnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and typowner <> 'onward_app'::regrole
      and not exists (select from pg_depend where objid = t.oid and deptype = 'e')
      and not exists (select from pg_type e where e.typarray = t.oid and exists
        (select from pg_depend where objid = e.oid and deptype = 'e'))
  union all
  select cfgname::text from pg_ts_config
    where cfgnamespace = 'public'::regnamespace and cfgowner <> 'onward_app'::regrole`;

describe('the role that the site connects as', () => {
  it('has no rights beyond its schemas', async () => {
    const dataDir = await usedDirectory();
    const database = await open(dataDir);
    await migrated(database);
    expect(
      await rowsOf(
        database,
        `select current_user::text as name, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as more,
          has_database_privilege(current_database(), 'create') as makes_schemas,
          has_database_privilege('postgres', 'connect') or has_database_privilege('template1', 'connect') as elsewhere
        from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ name: 'onward_app', more: false, makes_schemas: false, elsewhere: false }]);
    for (const beyond of [
      'create database other',
      'create role other',
      'create schema other',
      'alter role onward_app superuser',
      `select pg_read_file('PG_VERSION')`,
      `copy (select 1) to program 'true'`,
      'alter system set fsync = off',
      'set log_min_messages = debug1',
    ])
      await expect(rowsOf(database, beyond), beyond).rejects.toThrow(/permission denied|must be|only roles/i);
    await database.release();
  });

  it('gets the table of migrations that the job queue would make', async () => {
    const columns = `select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
        pg_get_expr(adbin, adrelid) as preset, attnum = any(conkey) as is_key
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        left join pg_constraint on conrelid = attrelid and contype = 'p'
      where attrelid = 'graphile_worker.migrations'::regclass and attnum > 0 order by attnum`;
    const dataDir = await usedDirectory();
    const database = await open(dataDir);
    const superuser = await superuserOf(dataDir, database);
    const ours = await rowsOf(superuser, columns);
    await rowsOf(superuser, 'drop schema graphile_worker cascade');
    await migrated(superuser);
    expect(ours).toEqual(await rowsOf(superuser, columns));
    await database.release();
  });

  it('owns the tables that an earlier version made as superuser', async () => {
    const dataDir = await usedDirectory();
    const before = await open(dataDir);
    const superuser = await superuserOf(dataDir, before);
    // As e7dc646 left it: one superuser, and nobody else.
    await rowsOf(superuser, 'drop schema public, graphile_worker cascade');
    await rowsOf(superuser, 'create schema public authorization pg_database_owner');
    await rowsOf(superuser, 'drop owned by onward_app');
    await rowsOf(superuser, 'drop role onward_app');
    await migrated(superuser);
    await rowsOf(superuser, `insert into site_facts (name, value) values ('mode', 'test')`);
    await before.release();

    const database = await open(dataDir);
    expect(database.connection.user).toBe('onward_app');
    expect(await rowsOf(database, ofOthers)).toEqual([]);
    expect(await rowsOf(database, 'select name from site_facts')).toEqual([{ name: 'mode' }]);
    await rowsOf(database, 'alter table site_facts add column colour text');
    await rowsOf(database, `select graphile_worker.add_job('deliver')`);
    await database.release();
  });

  it('loses rights that somebody has granted it', async () => {
    const dataDir = await usedDirectory();
    const first = await open(dataDir);
    const superuser = await superuserOf(dataDir, first);
    await rowsOf(superuser, 'alter role onward_app superuser createdb');
    await rowsOf(superuser, 'create table made_by_hand (id int)');
    await first.release();
    const again = await open(dataDir);
    await expect(rowsOf(again, 'create database other')).rejects.toThrow('permission denied');
    expect(await rowsOf(again, ofOthers)).toEqual([]);
    await again.release();
  });
});
