import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aReferral, aService, aTokenHolder, type LibraryPlace } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { callerOf, findAccount } from '../accounts/index.ts';
import type { NewReferral } from './new-referral-schema.ts';
import { submitReferral } from './submit-referral.ts';

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: LibraryPlace;
let referrer: Holder;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  referrer = await aTokenHolder(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
});
afterAll(() => site.close());

const body = () => aReferral(place.serviceId, { allow_duplicate: true });
const submit = (key: string) =>
  site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    payload: body(),
    headers: { ...referrer.headers, 'idempotency-key': key },
  });

async function audited(referralId: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where subject_id = ${referralId} order by id`.execute(site.deps.db);
  return rows.map(({ action }) => action);
}

test('an answer that is given again is a reading of the referral, and written down as one', async () => {
  const first = await submit('again');
  const second = await submit('again');
  expect([second.statusCode, second.body]).toEqual([201, first.body]);
  expect(await audited(first.json().id)).toEqual(['referral.requested', 'referral.read']);
});

test('the account that made it gets the answer again after a move to another organisation', async () => {
  const first = await submit('moved');
  await sql`update accounts set organisation_id = null where id = ${referrer.id}`.execute(site.deps.db);
  expect((await submit('moved')).body).toBe(first.body);
});

test('not so once it may not see the referral any more', async () => {
  const made = (await submit('ousted')).json();
  const account = (await findAccount(site.deps.db, referrer.id))!;
  const submission = { input: body() as NewReferral, address: '192.0.2.1', idempotencyKey: 'ousted' };
  const ousted = callerOf({ ...account, roles: ['provider'] }, 'token');
  const replay = submitReferral(site.deps, ousted, submission);
  await expect(replay).rejects.toMatchObject({ kind: { type: 'not-found' } });
  expect(await audited(made.id)).toEqual(['referral.requested']);
});

test.each([
  '',
  '/deliveries',
])('the audit has the id of what was read, however it was typed (%s)', async (rest) => {
  const { id } = (await submit(`typed${rest}`)).json();
  const url = `/api/referrals/${id.toUpperCase()}${rest}`;
  expect((await site.app.inject({ url, headers: referrer.headers })).statusCode).toBe(200);
  expect(await audited(id)).toHaveLength(2);
});
