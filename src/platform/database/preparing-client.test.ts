import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { createLog } from '../log/index.ts';
import { connect, type Database } from './connect.ts';

let given: Awaited<ReturnType<typeof testDatabase>>;
let database: Database;
beforeAll(async () => {
  given = await testDatabase();
  database = connect(given.connection, createLog('silent'), 1);
});
afterAll(async () => {
  await database.close();
  await given.close();
});

async function prepared(): Promise<string[]> {
  const { rows } = await database.pool.query('select name from pg_prepared_statements order by name');
  return rows.map(({ name }) => name);
}

test('a statement that is marked is prepared once for each connection; others are not', async () => {
  const double = async (value: number) => {
    const { rows } = await sql<{ double: number }>`
      /* prepared as double-it */
      select ${value}::int * 2 as double`.execute(database.db);
    return rows[0]!.double;
  };
  expect([await double(2), await double(3)]).toEqual([4, 6]);
  await sql`select 1 /* prepared as not-at-the-beginning */`.execute(database.db);
  expect((await database.pool.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }]);
  expect(await prepared()).toEqual(['double-it']);
  const another = await sql<{ one: number }>`/* prepared as double-it */ select 1 as one`.execute(
    database.db,
  );
  expect(another.rows).toEqual([{ one: 1 }]);
  expect(await double(4)).toBe(8);
});
