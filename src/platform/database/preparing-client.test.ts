import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('what an answered statement had is not kept until everything is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collectYoung = () => runInNewContext('gc')({ type: 'minor' });
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;
  const ask = async (times: number) => {
    for (let time = 1; time <= times; time += 1) {
      await sql`select repeat('x', 50000) as long`.execute(database.db);
      if (time % 50 === 0) collectYoung();
    }
  };
  await ask(100);
  const before = oldBytes();
  await ask(400);
  // Ten megabytes, if it were.
  expect(oldBytes() - before).toBeLessThan(6_000_000);
});

test('an error of a statement says who asked', async () => {
  async function askForNonsense() {
    await database.pool.connect().then(async (client) => {
      try {
        await client.query('select nonsense');
      } finally {
        client.release();
      }
    });
  }
  const error = await askForNonsense().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: '42703' });
  expect(error.stack).toContain('askForNonsense');
});
