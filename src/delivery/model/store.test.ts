import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsRead } from '../../../test/database/rows-read.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storeManyLetters } from '../../../test/delivery/many-letters.ts';
import { manyId, storeManyReferrals } from '../../../test/referrals/many-referrals.ts';
import type { Database, Trx } from '../../platform/database/index.ts';
import { lockUntriedDeliveries } from './deliveries-store.ts';

let database: Database;
const letters = 5_000;

beforeAll(async () => {
  database = await testDatabase();
  await storeManyReferrals(database, letters);
  await storeManyLetters(database.pool);
});
afterAll(() => database.close());

describe('many letters at once', () => {
  it('are taken up without reading all the others for each', async () => {
    const ids = Array.from({ length: 50 }, (_, number) => manyId(0, number + 1));
    const read = await rowsRead(database.pool, async (db) => {
      expect(await lockUntriedDeliveries(db as Trx, ids)).toHaveLength(ids.length);
    });
    // PostgreSQL may read all letters once, as it has no statistics yet, but not once for each of the fifty.
    expect(read).toBeLessThan(2 * letters);
  });
});
