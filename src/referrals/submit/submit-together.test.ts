import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder, type ServiceOfOrganisation } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { countTransactions, refuseFamilyName, storedReferrals } from '../../../test/referrals/stored.ts';

let site: TestApp;
let place: ServiceOfOrganisation;
let referrer: Awaited<ReturnType<typeof aTokenHolder>>;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  referrer = await aTokenHolder(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
});
afterAll(() => site.close());

const submit = (payload: object, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    payload,
    headers: { ...referrer.headers, ...headers },
  });
const of = (family_name: string, given: object = {}) => {
  const referral = aReferral(place.serviceId, given as Record<string, unknown>);
  const { nhs_number: _, ...patient } = (referral as { patient: Record<string, unknown> }).patient;
  return { ...referral, patient: { ...patient, family_name } };
};

describe('referrals that arrive together', () => {
  it('are each complete, in one transaction', async () => {
    const names = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'];
    const answers = (await Promise.all(names.map((name) => submit(of(name))))).map((answer) => answer.json());
    expect(answers.map(({ patient }) => patient.family_name)).toEqual(names);
    const ids = answers.map(({ id }) => id);
    expect(await countTransactions(site.deps.db, ids)).toBe(1);
    const stored = await storedReferrals(site.deps.db, ids);
    expect(stored.toSorted((a, b) => (a.familyName! < b.familyName! ? -1 : 1))).toEqual(
      names.map((familyName) => ({
        familyName,
        status: 'requested',
        history: ['requested'],
        audit: ['referral.requested'],
        events: ['referral.requested'],
        deliveries: 2,
      })),
    );
  });

  it('are made although others are refused', async () => {
    await submit(of('Rowan'));
    const bodies = [
      of('Willow'),
      of('Rowan'),
      { ...of('Yew'), service_id: 'nowhere' },
      of('Alder', { status: 'draft' }),
      of('Beech'),
    ];
    const answers = await Promise.all(bodies.map((body) => submit(body)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 409, 422, 201, 201]);
    expect(answers.map((answer) => answer.json().status)).toEqual([
      'requested',
      409,
      422,
      'draft',
      'requested',
    ]);
  });

  it('become one referral with one answer if they have one key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => submit(of('Hazel'), { 'idempotency-key': 'hazel' })),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]!.statusCode).toBe(201);
  });

  it('are made although the database refuses one of them', async () => {
    await refuseFamilyName(site.deps.db, 'Larch');
    const answers = await Promise.all(['Maple', 'Larch', 'Oak'].map((name) => submit(of(name))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 500, 201]);
  });
});
