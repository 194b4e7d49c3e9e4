import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsRead } from '../../../test/database/rows-read.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { manyId, storeManyReferrals } from '../../../test/referrals/many-referrals.ts';
import type { Caller, Role } from '../../accounts/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { canSee, visibilityOf } from '../model/access/sides.ts';
import { openStatuses } from '../model/referral.ts';
import { idsVisibleToSql, type ListFilter, listReferrals } from './list-store.ts';
import { listChoices } from './worklist/filter-choices-store.ts';
import { findByWords } from './worklist/words-store.ts';
import { countReasons, countWorklist, listWorklistRows } from './worklist/work-store.ts';

let database: Database;
/** Every referral, as an operator lists them. */
let all: Awaited<ReturnType<typeof listReferrals>>;
const everybody = 20_000;

beforeAll(async () => {
  database = await testDatabase();
  await storeManyReferrals(database, everybody);
  const visibility = visibilityOf(callers['an operator']!);
  all = await listReferrals(database.db, { visibility, limit: everybody });
  expect(all).toHaveLength(everybody);
});
afterAll(() => database.close());

function someone(
  roles: Role[],
  organisation: number | null,
  account: number,
  library: string | null,
): Caller {
  return {
    accountId: manyId(2, account),
    name: 'Test Person',
    email: 'person@example.org',
    formerNames: [],
    formerEmails: [],
    jobTitle: null,
    telephone: null,
    roles,
    hasApiAccess: true,
    isSystem: false,
    via: 'token',
    organisation:
      organisation === null
        ? null
        : { id: manyId(1, organisation), name: 'x', odsCode: null, libraryOrganizationId: library },
  };
}

const callers: Record<string, Caller> = {
  'an operator': someone(['operator'], null, 1, null),
  'a referrer with four': someone(['referrer'], null, 400, null),
  'a referrer': someone(['referrer'], 5, 5, 'org 5'),
  'a referrer of the large one': someone(['referrer'], 0, 0, null),
  'a provider': someone(['provider'], 7, 7, 'org 7'),
  'a provider of the large one': someone(['provider'], 0, 0, 'org 0'),
  'both at once': someone(['referrer', 'provider'], 0, 0, 'org 0'),
  'a provider of nothing': someone(['provider'], 9, 9, null),
};
const at = (minute: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + minute * 60_000);
const filters: Record<string, Partial<ListFilter>> = {
  nothing: {},
  status: { statuses: ['requested'] },
  'several statuses': { statuses: ['requested', 'rejected', 'draft', 'draft'] },
  'the service of a quarter': { ofService: { id: 'service 0', accountId: manyId(2, 0) } },
  'a service': { ofService: { id: 'service 57', accountId: manyId(2, 0) } },
  'a change lately': { updatedAfter: at(everybody - 60) },
  'a change long ago': { updatedAfter: at(100) },
  'what is overdue': { overdueAt: { now: at(everybody), today: '2026-06-01' } },
  'a page further on': { beforeId: manyId(0, 10_000) },
};

describe.each(Object.keys(callers))('%s', (name) => {
  const caller = callers[name]!;
  const visibility = visibilityOf(caller);

  it('sees in lists exactly what single reads allow', async () => {
    const may = all.filter((referral) => canSee(caller, referral)).map((referral) => referral.id);
    const listed = await listReferrals(database.db, { visibility, limit: everybody });
    expect(listed.map((referral) => referral.id)).toEqual(may);
    const { rows } = await sql<{ id: string }>`${idsVisibleToSql(caller)}`.execute(database.db);
    expect(
      rows
        .map((row) => row.id)
        .sort()
        .reverse(),
    ).toEqual(may);
    for (const { statuses, ofService, updatedAfter, beforeId } of Object.values(filters)) {
      const fitting = all.filter(
        (each) =>
          canSee(caller, each) &&
          (statuses?.includes(each.status) ?? true) &&
          (ofService === undefined || each.service_id === ofService.id) &&
          (updatedAfter === undefined || each.updated_at > updatedAfter) &&
          (beforeId === undefined || each.id < beforeId),
      );
      const filter = { visibility, statuses, ofService, updatedAfter, beforeId, limit: 20 };
      const found = await listReferrals(database.db, filter);
      expect(found.map((each) => each.id)).toEqual(fitting.slice(0, 20).map((each) => each.id));
    }
  });

  it.each(Object.keys(filters))('reads few rows for a list by %s', async (filter) => {
    const list = { visibility, ...filters[filter], limit: 51 };
    const read = await rowsRead(database.pool, (db) => listReferrals(db, list));
    expect(read).toBeLessThan(everybody / 10);
  });

  it('reads few rows for a worklist of what is open', async () => {
    const { accountId } = caller;
    const work = {
      ...{ visibility, accountId, side: 'provider' as const, statuses: openStatuses },
      ...{ now: at(everybody), today: '2026-06-01' },
    };
    const page = { offset: 0, limit: 26 };
    const read = await rowsRead(database.pool, (db) => listWorklistRows(db, work, page));
    expect(read).toBeLessThan(everybody / 10);
    expect(await rowsRead(database.pool, (db) => countWorklist(db, work, 101))).toBeLessThan(everybody / 10);
  });
});

describe('the worklist of a service with many referrals that nobody has opened', () => {
  // Below version 17, PostgreSQL runs a subquery that names columns of the outer query once for each row.
  it('looks for the pressing ones once, not for each open one', async () => {
    const { pool } = database;
    const watched = 500;
    await pool.query(`update referrals set status = 'requested' where id < $1`, [manyId(0, 8000)]);
    await pool.query(
      `insert into watches (id, kind, referral_id, side, author_id, at, due_at)
       select gen_random_uuid(), 'referral', id, 'provider', referrer_account_id, now(), '2100-01-01'
       from referrals where service_organization_id = 'org 0' and status = 'requested' order by id limit ${watched}`,
    );
    await pool.query('vacuum analyze referrals, watches');
    const caller = callers['a provider of the large one']!;
    const work = {
      ...{ visibility: visibilityOf(caller), accountId: caller.accountId, side: 'provider' as const },
      ...{ now: at(everybody), today: '2026-06-01' },
    };
    const page = { offset: 0, limit: 26 };
    expect(await rowsRead(pool, (db) => listWorklistRows(db, work, page))).toBeLessThan(6 * watched);
  });

  it('counts and shows more unread ones than are counted exactly', async () => {
    const { pool } = database;
    const unread = 1_200;
    await pool.query(
      `insert into watches (id, kind, referral_id, side, author_id, at, due_at)
       select gen_random_uuid(), 'message', id, 'provider', referrer_account_id, now(), '2100-01-01'
       from referrals where service_organization_id = 'org 0' order by id limit ${unread}`,
    );
    const caller = callers['a provider of the large one']!;
    const work = {
      ...{ visibility: visibilityOf(caller), accountId: caller.accountId, side: 'provider' as const },
      ...{ now: at(everybody), today: '2026-06-01', unreadOnly: true },
    };
    expect(await countWorklist(database.db, work, 1001)).toBe(1001);
    expect(await listWorklistRows(database.db, work, { offset: unread - 10, limit: 26 })).toHaveLength(10);
  });
});

describe('a list of a large organisation', () => {
  const workOf = (name: string, side: 'provider' | 'referrer') => {
    const caller = callers[name]!;
    return {
      ...{ visibility: visibilityOf(caller), accountId: caller.accountId, side },
      ...{ now: at(everybody), today: '2026-06-01' },
    };
  };

  it('finds a few by their ids, also if PostgreSQL expects many', async () => {
    const { pool } = database;
    await pool.query('delete from watches');
    await pool.query(
      `insert into watches (id, kind, referral_id, side, author_id, at, due_at)
       select gen_random_uuid(), 'message', id, 'provider', referrer_account_id, now(), '2100-01-01' from referrals`,
    );
    await pool.query('analyze watches');
    await pool.query(`delete from watches where referral_id > $1`, [manyId(0, 40)]);
    const work = { ...workOf('a provider of the large one', 'provider'), unreadOnly: true };
    expect(await listWorklistRows(database.db, work, { offset: 0, limit: 26 })).toHaveLength(10);
    expect(await rowsRead(pool, (db) => listWorklistRows(db, work, { offset: 0, limit: 26 }))).toBeLessThan(
      500,
    );
  });

  it('finds those without help by an index that has no others', async () => {
    const { pool } = database;
    const work = workOf('a referrer of the large one', 'referrer');
    const unhelpedBefore = (await countReasons(database.db, work)).get('unhelped');
    await pool.query(
      `update referrals set status = changed.status, cancelled_by_referrer = changed.status = 'cancelled',
         rerouted = changed.status = 'rejected',
         status_reason = case when changed.status = 'failed' then '{"code":"died"}'::jsonb end
       from (
         select id, (array['cancelled', 'rejected', 'failed'])[1 + row_number() over () % 3] as status from referrals
         where referrer_organisation_id = $1 and status = 'completed') as changed
       where referrals.id = changed.id`,
      [manyId(1, 0)],
    );
    await pool.query('vacuum analyze referrals');
    const reasons = await countReasons(database.db, work);
    expect([reasons.get('unhelped'), unhelpedBefore]).toEqual([unhelpedBefore, expect.any(Number)]);
    expect(await rowsRead(pool, (db) => countReasons(db, work))).toBeLessThan(everybody / 4);
  });

  it('reads once which services are sensitive', async () => {
    const { pool } = database;
    await pool.query('insert into service_referral_settings (service_id) select id from services');
    await pool.query('vacuum analyze service_referral_settings');
    const work = workOf('an operator', 'provider');
    const read = await rowsRead(pool, (db) => listChoices(db, work));
    // Each of 2,000 referrals twice, for its service and its organisation, and when it is found.
    expect(read).toBeLessThan(3 * 2000 + 700);
  });

  it('looks for words only among what the reader may see', async () => {
    const work = workOf('a referrer', 'referrer');
    const found = await findByWords(database.db, work, 'x');
    expect(found).toEqual(
      all
        .filter((each) => canSee(callers['a referrer']!, each))
        .map(({ id }) => id)
        .slice(0, 500),
    );
    // Each referral has this word, so the index of words gives them all, once.
    const read = await rowsRead(database.pool, (db) => findByWords(db, work, 'x'));
    expect(read).toBeLessThan(everybody * 1.2);
  });
});
