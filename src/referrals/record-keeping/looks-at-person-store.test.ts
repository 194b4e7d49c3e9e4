import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsRead } from '../../../test/database/rows-read.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storeManyLooks, storeManyReaders } from '../../../test/referrals/many-looks.ts';
import type { Database, Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addToListed, deleteOldRecordsOfLooks } from '../model/access/looks-store.ts';
import { listLooksAtPerson } from './looks-at-person-store.ts';

let database: Database;
const count = 5_000;

beforeAll(async () => {
  database = await testDatabase();
  await storeManyLooks(database.pool, count);
});
afterAll(() => database.close());

describe('many looks', () => {
  it('are not all read to find those at one person', async () => {
    const key = (name: string) => Buffer.from(name);
    const keys = { numberKey: key('number 7'), surnameKey: key('surname 7'), postcodeKey: key('postcode 7') };
    const read = await rowsRead(database.pool, async (db) => {
      expect(await listLooksAtPerson(db, { referralIds: [], keys }, 10)).toHaveLength(1);
    });
    expect(read).toBeLessThan(100);
  });

  it('are not all read to add to what one reader saw on a day', async () => {
    await storeManyReaders(database.pool, count);
    const at = new Date('2026-12-01T12:00:00Z');
    const by = { kind: 'copy-by-email', sentTo: 'reader 7' } as const;
    const read = await rowsRead(database.pool, (db) =>
      addToListed(db as Trx, { id: newId(0), day: '2026-12-01', at, by, ids: [newId(0)] }),
    );
    expect(read).toBeLessThan(100);
  });

  it('are not all read to delete the oldest', async () => {
    const kept = () => database.db.selectFrom('looks').select('id').execute();
    const read = await rowsRead(database.pool, (db) =>
      deleteOldRecordsOfLooks(db, new Date('2027-02-05T12:00:00Z')),
    );
    expect(read).toBeLessThan(500);
    expect((await kept()).length).toBeGreaterThan(count - 100);
    expect((await kept()).length).toBeLessThan(count);
  });
});

describe('copies of two organisations to one address', () => {
  it('show of each only the referrals that were in its copy', async () => {
    const day = '2026-12-02';
    const at = new Date(`${day}T12:00:00Z`);
    const copies = ['First', 'Second'].map((name) => ({
      name,
      organisationId: newId(),
      referralId: newId(),
    }));
    for (const { name, organisationId, referralId } of copies) {
      await database.db
        .insertInto('organisations')
        .values({ id: organisationId, name, created_at: at })
        .execute();
      const by = { kind: 'copy-by-email', sentTo: 'both@example.org', organisationId } as const;
      await addToListed(database.db as Trx, { id: newId(), day, at, by, ids: [referralId] });
    }
    const referralIds = copies.map((each) => each.referralId);
    const none = { numberKey: null, surnameKey: null, postcodeKey: null };
    const looks = await listLooksAtPerson(database.db, { referralIds, keys: none }, 10);
    expect(looks.map((each) => [each.organisation, each.referralIds]).sort()).toEqual(
      copies.map((each) => [each.name, [each.referralId]]),
    );
  });
});

describe('many kept answers and simulated steps', () => {
  it('can be looked up by the referral or delivery that is erased', async () => {
    const id = '00000000-0000-7000-8000-000000000007';
    const plan = async (statement: ReturnType<typeof sql>) =>
      JSON.stringify((await sql`explain ${statement}`.execute(database.db)).rows);
    await sql`set enable_seqscan = off`.execute(database.db);
    expect(await plan(sql`select from idempotency_keys where referral_id = ${sql.lit(id)}::uuid`)).toContain(
      'idempotency_keys_referral',
    );
    expect(await plan(sql`select from simulated_steps where delivery_id = ${sql.lit(id)}::uuid`)).toContain(
      'simulated_steps_delivery',
    );
  });
});
