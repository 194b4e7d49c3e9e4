import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('a transaction', () => {
  it('fails if its commit committed nothing', async () => {
    const swallowing = inTransaction(database.db, async (trx) => {
      await sql`select nonsense`.execute(trx).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('one of its statements had failed');
  });
});
