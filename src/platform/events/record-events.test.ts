import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { recordEvents } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const at = new Date('2026-11-21T09:30:00.123Z');
const referralId = '019ab3c4-0000-7000-8000-000000000001';
const event = (name: string) => ({
  type: 'service.changed' as const,
  resource: { type: 'service', id: name, path: `/api/library/services/${name}` },
  ...(name.endsWith('7') && { referralId }),
});

const storedEvents = () => database.db.selectFrom('new_events').selectAll().orderBy('number').execute();

describe('recording events', () => {
  it('stores many events at once as it stores a few', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `s“${index}`);
    await inTransaction(database.db, async (trx) => {
      for (const name of names) await recordEvents(trx, [event(name)], at);
      await recordEvents(trx, names.map(event), at);
    });
    const rows = await storedEvents();
    const said = rows.map(({ id: _id, number: _number, ...row }) => row);
    expect(said.slice(60)).toEqual(said.slice(0, 60));
    expect(said[67]).toMatchObject({ resource_id: 's“7', referral_id: referralId, created_at: at });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(120);
  });
});
