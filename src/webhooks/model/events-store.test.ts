import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsRead } from '../../../test/database/rows-read.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { manyId } from '../../../test/referrals/many-referrals.ts';
import type { Database } from '../../platform/database/index.ts';
import { listEvents } from './events-store.ts';

let database: Database;
const everything = 10_000;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `insert into events (id, type, version, resource_type, resource_id, path, referrer_account_id,
       referrer_organisation_id, created_at)
     select gen_random_uuid(), case when n % 2000 = 1 then 'rare' else 'common' end, 1, 'referral', n, '/', $1, $2, now()
     from generate_series(1, ${everything}) n`,
    [manyId(2, 1), manyId(1, 1)],
  );
  await database.pool.query('vacuum analyze events');
});
afterAll(() => database.close());

it.each([
  ['an organisation', { allSentReferrals: false, madeByOrganisation: manyId(1, 1) }],
  ['an operator', { allSentReferrals: true, madeByOrganisation: null }],
])('finds events of a rare type for %s without reading others', async (_, seen) => {
  const visibility = { ...seen, madeByAccount: null, receivedBy: null };
  const query = { afterPosition: 0, types: ['rare'], limit: 50 };
  expect(await listEvents(database.db, visibility, query)).toHaveLength(5);
  expect(await rowsRead(database.pool, (db) => listEvents(db, visibility, query))).toBeLessThan(200);
});
