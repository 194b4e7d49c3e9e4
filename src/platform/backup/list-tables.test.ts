import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { listTables } from './list-tables.ts';

it('leaves out the tables of the migrators by schema and name', async () => {
  const { db, pool, close } = await testDatabase();
  await pool.query('create table migrations (id integer)');
  const names = (await listTables(db)).map(({ table }) => table);
  expect(names).toContain('public.migrations');
  expect(names).not.toContain('public.onward_migrations');
  expect(names).not.toContain('graphile_worker.migrations');
  await close();
});
