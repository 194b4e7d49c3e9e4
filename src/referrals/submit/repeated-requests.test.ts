import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder, type ServiceOfOrganisation } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import { callerOf, findAccount } from '../../accounts/index.ts';
import type { NewReferral } from '../model/schemas/new-referral.ts';

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

let site: TestApp;
let place: ServiceOfOrganisation;
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

const audited = (referralId: string) => auditedActions(site.deps.db, referralId);

describe('a repeated request', () => {
  it('is audited as a reading of the referral', async () => {
    const first = await submit('again');
    const second = await submit('again');
    expect([second.statusCode, second.body]).toEqual([201, first.body]);
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(await audited(first.json().id)).toEqual(['referral.requested', 'referral.read']);
  });

  it('is refused once the account may not see the referral', async () => {
    const made = (await submit('ousted')).json();
    const account = (await findAccount(site.deps.db, referrer.id))!;
    const ousted = callerOf({ ...account, roles: ['provider'] }, 'token');
    const replay = site.deps.referralIntake.submit({
      caller: ousted,
      input: body() as NewReferral,
      ipAddress: '192.0.2.1',
      idempotencyKey: 'ousted',
    });
    await expect(replay).rejects.toMatchObject({ kind: { type: 'not-found' } });
    expect(await audited(made.id)).toEqual(['referral.requested']);
  });
});

describe('the audit', () => {
  it.each(['', '/deliveries'])('has the id of what was read, however it was typed (%s)', async (rest) => {
    const { id } = (await submit(`typed${rest}`)).json();
    const url = `/api/referrals/${id.toUpperCase()}${rest}`;
    expect((await site.app.inject({ url, headers: referrer.headers })).statusCode).toBe(200);
    expect(await audited(id)).toHaveLength(2);
  });
});
