import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a commit that committed nothing is an error', async () => {
  const swallowing = inTransaction(database.db, async (trx) => {
    await sql`select nonsense`.execute(trx).catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow('one of its statements had failed');
});
