import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { migrations } from '../../site/migrations.ts';
import { createLog } from '../log/index.ts';
import { connect, createTablesOfVersion, type Database, migrate } from './index.ts';
import { appliedMigrations, type Migrations } from './migrate.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const withStep = (name: string, step: Migrations[string]) => ({
  ...migrations,
  current: { ...migrations.current, [name]: step },
});

describe('migrating', () => {
  it('leaves a database that is up to date as it is', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(database.db, database.pool, migrations)));
    const { rows } = await sql<{ name: string }>`select name from onward_migrations order by name`.execute(
      database.db,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations.current));
  });

  it('makes up for a lower number that landed after a higher one', async () => {
    const own = await testDatabase('none');
    const all = Object.entries(migrations.current);
    const current = Object.fromEntries(all.filter((_, index) => index !== all.length - 2));
    await migrate(own.db, own.pool, { ...migrations, current });
    await migrate(own.db, own.pool, migrations);
    expect(await appliedMigrations(own.db)).toEqual(all.map(([name]) => name));
    await own.close();
  });

  it('refuses a database of a newer version, and names it', async () => {
    const all = Object.entries(migrations.current);
    const older = { ...migrations, current: Object.fromEntries(all.slice(0, -1)) };
    const newest = all.at(-1)![0];
    await expect(migrate(database.db, database.pool, older)).rejects.toThrow(
      `newer version of Onward (it has ${newest}`,
    );
  });

  it('may take longer than a request, but waits shortly for locks', async () => {
    const own = await testDatabase();
    const hasty = connect({ ...own.connection, statement_timeout: 800 }, createLog('silent'));
    let lockTimeout = '';
    const slow: Migrations[string] = {
      async up(db) {
        await sql`select pg_sleep(1)`.execute(db);
        const { rows } = await sql<{ wait: string }>`select current_setting('lock_timeout') as wait`.execute(
          db,
        );
        lockTimeout = rows[0]!.wait;
      },
    };
    await migrate(hasty.db, hasty.pool, withStep('9999-slow', slow));
    expect(lockTimeout).toBe('30s');
    await hasty.close();
    await own.close();
  });

  it('names tables that another program keeps locked', async () => {
    const own = await testDatabase();
    const refused: Migrations[string] = {
      async up(db) {
        await sql`set local lock_timeout = 50`.execute(db);
        await sql`alter table accounts add column colour text`.execute(db);
      },
    };
    const other = await own.pool.connect();
    await other.query('begin; lock table accounts in access share mode');
    await expect(migrate(own.db, own.pool, withStep('9999-refused', refused))).rejects.toThrow(
      'Another program has locked tables that this version of Onward must change.',
    );
    await other.query('rollback');
    other.release();
    await own.close();
  });
});

describe('a database from before the baseline', () => {
  const { oldestMigrations, steps } = migrations.earlier;
  const namesIn = async ({ db }: Database) =>
    (await sql<{ name: string }>`select name from onward_migrations order by name`.execute(db)).rows.map(
      ({ name }) => name,
    );

  it.each([
    ['version e7dc646', oldestMigrations],
    ['a version half-way to the baseline', [...oldestMigrations, ...Object.keys(steps).slice(0, 4)]],
    ['the last version before the baseline', [...oldestMigrations, ...Object.keys(steps)]],
  ])('is carried over from %s with rows, once for all processes', async (_, names) => {
    const old = await testDatabase('none');
    await createTablesOfVersion(old.db, old.pool, migrations, names);
    expect(await namesIn(old)).toEqual(names);
    await sql`insert into accounts (id, email, name, roles, created_at)
      values (gen_random_uuid(), 'asha@example.org', 'Asha', '{operator}', now())`.execute(old.db);
    await Promise.all([1, 2, 3].map(() => migrate(old.db, old.pool, migrations)));
    expect(await namesIn(old)).toEqual(Object.keys(migrations.current));
    expect((await sql`select name from accounts`.execute(old.db)).rows).toEqual([{ name: 'Asha' }]);
    await old.close();
  });

  it('is refused if older than those carried over, with what helps', async () => {
    const old = await testDatabase('none');
    await createTablesOfVersion(old.db, old.pool, migrations, oldestMigrations);
    await sql`delete from onward_migrations where name = ${oldestMigrations.at(-1)!}`.execute(old.db);
    await expect(migrate(old.db, old.pool, migrations)).rejects.toThrow(
      /old version of Onward \(its last migration is 0036-copied-parts\). The version of Onward at commit e7dc646 brings it up/,
    );
    await old.close();
  });
});
