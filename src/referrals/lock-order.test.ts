import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { until } from '../../test/app/until.ts';
import { isRowLocked, waitingForLocks } from '../../test/database/locks.ts';
import {
  backdateRequest,
  cancelAllReferrals,
  changeReferral,
  setReferralStatus,
} from '../../test/referrals/stored.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { insertReport, setDeathReported } from './endings/deaths-store.ts';
import { siteAsHistoryActor } from './model/actors/authors.ts';
import { lockReferral, lockReferrals } from './model/referrals-store.ts';
import { markNextDateReminded, markReminded, scheduleRejections } from './overdue/overdue-store.ts';

// Two transactions that need several referrals never wait for each other, and read what is true once they have waited.

let site: TestApp;
let place: Awaited<ReturnType<typeof aService>>;
let headers: Record<string, string>;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  headers = (await aTokenHolder(site.deps, { organisation: { name: 'Moor Surgery' } })).headers;
});
afterAll(() => site.close());

let people = 0;
async function submit(given: Record<string, unknown> = {}) {
  people += 1;
  const { patient, ...rest } = aReferral(place.serviceId, given);
  const person = { ...patient, family_name: `Person ${people}`, nhs_number: aTestNhsNumber(people) };
  const payload = { ...rest, patient: person };
  const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
  return { status: answer.statusCode, id: answer.json().id as string };
}

/** Two referrals in the order of their ids; in their table the second comes first. */
async function twoReferrals(): Promise<[string, string]> {
  const [first, second] = [await submit(), await submit()].map(({ id }) => id).sort() as [string, string];
  for (const id of [second, first]) await backdateRequest(site.deps.db, id, 24 * 30);
  return [first, second];
}

/** Makes changes in a transaction that has locked a referral, and commits them once somebody waits. */
async function whileLocked<T>(id: string, work: () => Promise<T>, meanwhile: (trx: Trx) => Promise<unknown>) {
  const locked = Promise.withResolvers<void>();
  const holding = inTransaction(site.deps.db, async (trx) => {
    await lockReferral(trx, id);
    locked.resolve();
    await until(async () => (await waitingForLocks(site.deps.db)) === 1);
    await meanwhile(trx);
  });
  await locked.promise;
  const done = work();
  await holding;
  return done;
}

describe('a referral that is locked after a wait', () => {
  it.each([
    ['one', (trx: Trx, id: string) => lockReferral(trx, id)],
    ['several', async (trx: Trx, id: string) => (await lockReferrals(trx, [id])).get(id)],
  ])('is read as it is then (%s)', async (_, lock) => {
    const [{ id }, { id: successor }] = [await submit(), await submit()];
    const at = site.clock.now();
    const found = await whileLocked(
      id,
      () => inTransaction(site.deps.db, (trx) => lock(trx, id)),
      async (trx) => {
        await changeReferral(trx, successor, { reroutes: id });
        const report = { rowId: newId(at.getTime()), reportId: newId(at.getTime()), referralId: id };
        await insertReport(
          trx,
          { ...report, reportedAt: at, toldBy: 'Her son', date: null },
          siteAsHistoryActor,
        );
        await setDeathReported(trx, id, at);
      },
    );
    expect(found).toMatchObject({ rerouted_to: successor, death_reported: { told_by: 'Her son' } });
  });
});

describe('several referrals', () => {
  it('are locked in one order by those who replace them', async () => {
    const [first, second] = await twoReferrals();
    for (const id of [first, second]) await setReferralStatus(site.deps.db, id, 'rejected');
    let isSecondLocked: boolean | undefined;
    const made = await whileLocked(
      first,
      () => Promise.all([submit({ reroutes: second }), submit({ reroutes: first })]),
      async () => {
        isSecondLocked = await isRowLocked(site.deps.db, 'referrals', 'id', second);
      },
    );
    expect([isSecondLocked, made.map(({ status }) => status)]).toEqual([false, [201, 201]]);
  });

  it('are locked in one order to withdraw what replaced another', async () => {
    const { id: replaced } = await submit();
    await setReferralStatus(site.deps.db, replaced, 'rejected');
    // One millisecond later, so that its id is the higher one.
    site.clock.moveOn(1);
    const { id } = await submit({ reroutes: replaced });
    const withdrawal = { method: 'POST', url: `/api/referrals/${id}/withdraw-as-error` } as const;
    let isNewerLocked: boolean | undefined;
    const withdrawn = await whileLocked(
      replaced,
      () =>
        site.app.inject({
          ...withdrawal,
          headers: { ...headers, 'if-match': '"1"' },
          payload: { status_reason: { code: 'other', text: 'It was sent too early.' } },
        }),
      async () => {
        isNewerLocked = await isRowLocked(site.deps.db, 'referrals', 'id', id);
      },
    );
    expect([isNewerLocked, withdrawn.statusCode]).toEqual([false, 200]);
  });

  const all = { sentBefore: new Date('2100-01-01') };
  it.each([
    ['reminds of them', (trx: Trx) => markReminded(trx, [place.organizationId], all, site.clock.now())],
    [
      'warns of their rejection',
      (trx: Trx) =>
        scheduleRejections(trx, [place.organizationId], all, { afterDays: 20, earliest: site.clock.now() }),
    ],
    [
      'reminds of their next dates',
      (trx: Trx) =>
        markNextDateReminded(trx, [place.organizationId], { today: '2100-01-01', again: '2100-01-08' }),
    ],
  ])('are locked in one order by what %s', async (_, mark) => {
    await cancelAllReferrals(site.deps.db);
    const [first, second] = await twoReferrals();
    for (const id of [second, first]) await changeReferral(site.deps.db, id, { next_date: '2026-01-01' });
    let isSecondLocked: boolean | undefined;
    const marked = await whileLocked(
      first,
      () => inTransaction(site.deps.db, mark),
      async () => {
        isSecondLocked = await isRowLocked(site.deps.db, 'referrals', 'id', second);
      },
    );
    expect([isSecondLocked, marked.map(({ id }) => id).sort()]).toEqual([false, [first, second]]);
  });
});
