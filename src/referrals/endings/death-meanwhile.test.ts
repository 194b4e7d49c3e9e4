import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { lockTables, waitingForLocks } from '../../../test/database/locks.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { lockReferral } from '../model/referrals-store.ts';

// Somebody refers a person at the moment at which somebody else tells that the person has died.

let site: TestApp;
let serviceId: string;
let surgery: Record<string, string>;
beforeAll(async () => {
  site = await makeApp();
  serviceId = (await aService(site.deps)).serviceId;
  surgery = (await aTokenHolder(site.deps, { organisation: { name: 'Moor Surgery' } })).headers;
});
afterAll(() => site.close());

async function call(path: string, payload?: object, version?: number) {
  const answer = await site.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/referrals${path}`,
    headers: { ...surgery, ...(version !== undefined && { 'if-match': `"${version}"` }) },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

let people = 0;
/** A person who was referred, and what refers them again. */
async function aPerson(nhsNumber: boolean, asDraft: boolean) {
  people += 1;
  const { patient, ...rest } = aReferral(serviceId);
  const { nhs_number: _, ...unnumbered } = patient;
  const number = nhsNumber && { nhs_number: aTestNhsNumber(people) };
  const person = { ...unnumbered, family_name: `Person ${people}`, ...number };
  const payload = { ...rest, patient: person, allow_duplicate: true };
  const first = (await call('', payload)).body.id as string;
  if (!asDraft) return { first, referAgain: () => call('', payload) };
  const { allow_duplicate: __, ...written } = payload;
  const draft = (await call('', { ...written, status: 'draft' })).body.id;
  return { first, referAgain: () => call(`/${draft}/request`, { allow_duplicate: true }, 1) };
}

const tell = (id: string) => call(`/${id}/died`, { told_by: 'Her daughter' });
const isWaiting = (count: number) => until(async () => (await waitingForLocks(site.deps.db)) === count);

describe.each([
  ['a new referral', true, false],
  ['a new referral without an NHS number', false, false],
  ['a draft that is sent', true, true],
])('%s, at the moment at which the death is told', (_, nhsNumber, asDraft) => {
  it('waits for the report, and is refused', async () => {
    const { first, referAgain } = await aPerson(nhsNumber, asDraft);
    const [locked, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(site.deps.db, async (trx) => {
      await lockReferral(trx, first);
      locked.resolve();
      await mayGoOn.promise;
    });
    await locked.promise;
    const reported = tell(first);
    await isWaiting(1);
    const made = referAgain();
    await Promise.race([made, isWaiting(2)]);
    mayGoOn.resolve();
    await holding;
    expect([(await reported).status, (await made).status, (await made).body.referral_id]).toEqual([
      200,
      409,
      first,
    ]);
  });

  it('is marked by the report if it came first', async () => {
    const { first, referAgain } = await aPerson(nhsNumber, asDraft);
    const letGo = await lockTables(site.deps.pool, 'referral_history');
    const made = referAgain();
    await isWaiting(1);
    const reported = tell(first);
    await isWaiting(2);
    await letGo();
    const { status, body } = await made;
    expect([(await reported).status, status]).toEqual([200, asDraft ? 200 : 201]);
    expect((await call(`/${body.id}`)).body.death_reported).toMatchObject({ told_by: 'Her daughter' });
  });
});
