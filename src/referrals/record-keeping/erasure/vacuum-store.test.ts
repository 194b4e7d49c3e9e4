import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { connect, type Database, inTransaction } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { listReferralTables, vacuumTables } from './vacuum-store.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Tables from which an erasure deletes nothing, and what they have of a referral. */
const notErased = {
  events: 'ids',
  new_events: 'ids',
  notification_digests: 'ids, for a day',
  simulated_referrals: 'stories of made-up people',
  simulated_steps: 'stories of made-up people',
} as const;

describe('the tables that are vacuumed after an erasure', () => {
  it('are all that belong to a referral, delivery, copy or link', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and a.attname in ('referral_id', 'delivery_id', 'copy_id', 'link_id')`.execute(database.db);
    const vacuumed = (await listReferralTables(database.db)).map(({ name }) => name);
    const left = rows.map(({ name }) => name).filter((name) => !vacuumed.includes(name));
    expect(left.sort()).toEqual(Object.keys(notErased).sort());
  });

  it('may take longer than other statements, which end as before', async () => {
    const hasty = connect({ ...database.connection, statement_timeout: 300 }, createLog('silent'), 1);
    const [locked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(database.db, async (trx) => {
      await sql`lock table looks in share update exclusive mode`.execute(trx);
      locked.resolve();
      await mayEnd.promise;
    });
    await locked.promise;
    setTimeout(mayEnd.resolve, 1000);
    try {
      await vacuumTables(hasty.db, [{ name: 'looks', rewrite: false }]);
      const { rows } = await sql<{ statement: string; lock: string }>`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
        hasty.db,
      );
      expect(rows).toEqual([{ statement: '300ms', lock: '0' }]);
    } finally {
      await holding;
      await hasty.close();
    }
  });
});
