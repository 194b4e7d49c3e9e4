import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { createLog } from '../log/index.ts';
import { connect, type Database, type Migrations, migrate } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a database that is up to date stays as it is, however often it is opened', async () => {
  await Promise.all([1, 2, 3].map(() => migrate(database.db, database.pool, migrations)));
  const { rows } = await sql<{ name: string }>`select name from onward_migrations order by name`.execute(
    database.db,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
});

test('a database of a newer version is refused, and named', async () => {
  const older = Object.fromEntries(Object.entries(migrations).slice(0, -1));
  const newest = Object.keys(migrations).at(-1)!;
  await expect(migrate(database.db, database.pool, older)).rejects.toThrow(
    `newer version of Onward (it has ${newest}`,
  );
});

test('a migration may take longer than a request, and waits only shortly for the locks of others', async () => {
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
  await migrate(hasty.db, hasty.pool, { ...migrations, '9999-slow': slow });
  expect(lockTimeout).toBe('30s');
  await hasty.close();
  await own.close();
});

test('tables that another program keeps locked are named as such', async () => {
  const own = await testDatabase();
  const refused: Migrations[string] = {
    async up(db) {
      await sql`set local lock_timeout = 50`.execute(db);
      await sql`alter table accounts add column colour text`.execute(db);
    },
  };
  const other = await own.pool.connect();
  await other.query('begin; lock table accounts in access share mode');
  await expect(migrate(own.db, own.pool, { ...migrations, '9999-refused': refused })).rejects.toThrow(
    'Another program keeps the tables locked',
  );
  await other.query('rollback');
  other.release();
  await own.close();
});
