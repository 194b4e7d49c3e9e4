import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addOldJob, giveUpJobs, holdJobs, putOffJobs, takeJobs } from '../../../test/app/jobs.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { addJobs, mayHaveJobSql } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('whether something has a job', () => {
  beforeEach(async () => void (await takeJobs(database.pool)));

  const [thing, other] = [randomUUID(), randomUUID()];
  const add = (payload: object, name = 'send') =>
    inTransaction(database.db, (trx) => addJobs(trx, name, [payload]));
  const has = async (id: string): Promise<boolean> => {
    const condition = mayHaveJobSql({
      names: ['send', 'send-all'],
      id: sql`${id}::text`,
      key: sql`'thing ' || ${id}::text`,
      dueWithin: '8 hours',
    });
    const { rows } = await sql<{ has: boolean }>`select ${condition} as has`.execute(database.db);
    return rows[0]!.has;
  };
  const both = async () => [await has(thing), await has(other)];

  it('is true for a job of these names, also one for several', async () => {
    expect(await both()).toEqual([false, false]);
    await add({ thing_id: thing });
    expect(await both()).toEqual([true, false]);
    await takeJobs(database.pool);
    await add({ thing_ids: [other, thing] }, 'send-all');
    expect(await both()).toEqual([true, true]);
    await takeJobs(database.pool);
    await add({ thing_id: thing }, 'look-at');
    expect(await both()).toEqual([false, false]);
  });

  it('counts a running job, but none given up or far off', async () => {
    await add({ thing_id: thing });
    const held = await holdJobs(database.pool, 'send');
    expect(await has(thing)).toBe(true);
    await held.end('failed');
    await putOffJobs(database.pool, 9 * 3600);
    expect(await has(thing)).toBe(false);
    await putOffJobs(database.pool, 7 * 3600);
    expect(await has(thing)).toBe(true);
    await giveUpJobs(database.pool);
    expect(await has(thing)).toBe(false);
  });

  it('counts an earlier version’s job by its key, or for all', async () => {
    const addOld = (key: string | null) => addOldJob(database.pool, 'send', { thing_id: thing }, key);
    await addOld(`thing ${thing}`);
    expect(await both()).toEqual([true, false]);
    await takeJobs(database.pool);
    await addOld(null);
    expect(await both()).toEqual([true, true]);
  });
});
