import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, holdTaskLock, inRetriedTransaction, inTransaction } from './index.ts';

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

  it('is done again after a deadlock', async () => {
    const both = Promise.withResolvers<void>();
    const tries: string[] = [];
    const take = (first: string, second: string) =>
      inRetriedTransaction(database.db, async (trx) => {
        await holdTaskLock(trx, first);
        tries.push(first);
        if (tries.length === 2) both.resolve();
        await both.promise;
        await holdTaskLock(trx, second);
        return second;
      });
    expect(await Promise.all([take('a', 'b'), take('b', 'a')])).toEqual(['b', 'a']);
    expect(tries).toHaveLength(3);
  });
});
