import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { testDatabase } from '../../../test/database.ts';
import { type Database, migrate } from './index.ts';

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
