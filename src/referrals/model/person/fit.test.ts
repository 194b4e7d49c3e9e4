import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral } from '../../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';
import { savePostcodes } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { ageErrors } from './fit.ts';

const { completeAll, place, referrer, site, stored, submit } = await makeReferralFixture();
const youngPeople = 'young-people';

beforeAll(async () => {
  const square = [
    [-2.8, 52],
    [-2.6, 52],
    [-2.6, 52.2],
    [-2.8, 52.2],
    [-2.8, 52],
  ];
  const service = {
    id: youngPeople,
    name: 'Young people’s choir',
    status: 'active',
    minimum_age: 11,
    maximum_age: 17,
    phones: [{ id: 'p', number: '01432 000 000' }],
    service_areas: [
      { id: 'a', name: 'The valley', extent: JSON.stringify({ type: 'Polygon', coordinates: [square] }) },
    ],
  };
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(`${JSON.stringify(service)}\n`)]));
  await inTransaction(site.deps.db, (trx) =>
    savePostcodes(trx, [
      { postcode: 'ZT1 3GH', latitude: 52.1, longitude: -2.7 },
      { postcode: 'ZT9 9ZZ', latitude: 53.1, longitude: -2.7 },
    ]),
  );
});
afterAll(() => site.close());
beforeEach(() => completeAll());

async function send(given: object, serviceId = place.serviceId) {
  const { statusCode: status, body } = await submit({ ...aReferral(serviceId), ...given });
  return { status, body: JSON.parse(body) };
}

describe('whom a service takes', () => {
  // Without a number, which belongs to one birth date.
  const { nhs_number: _, ...patient } = aReferral('').patient;
  const bornIn = (year: number) => ({ patient: { ...patient, birth_date: `${year}-03-09` } });

  it('refuses other ages, with the rule and the service’s number', async () => {
    const { status, body } = await send(bornIn(1947), youngPeople);
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'does-not-fit']);
    expect(body.errors).toEqual([
      { pointer: '/patient/birth_date', message: expect.stringContaining('up to the age of 17') },
    ]);
    expect(body.service_telephone).toBe('01432 000 000');
    expect(body.detail).toContain('01432 000 000');
  });

  it('refuses a postcode outside its outlined area', async () => {
    const away = {
      ...patient,
      birth_date: '2012-03-09',
      address: { lines: ['1 Far Road'], postcode: 'ZT9 9ZZ' },
    };
    const { status, body } = await send({ patient: away }, youngPeople);
    expect([status, body.errors[0].pointer]).toEqual([422, '/patient/address/postcode']);
    expect((await send(bornIn(2012), youngPeople)).status).toBe(201);
  });

  it('does not refuse a client system for an area that is in words', async () => {
    const id = 'valley-visitors';
    const service_areas = [{ id: 'w', name: 'Valley', description: 'Postcodes starting with ZT1 and ZT2.' }];
    const service = { id, name: 'Valley visitors', status: 'active', service_areas };
    const file = Readable.from([Buffer.from(`${JSON.stringify(service)}\n`)]);
    await importServices(site.deps, siteActor, file);
    const away = { ...patient, address: { lines: ['1 Far Road'], postcode: 'HR4 9DG' } };
    expect((await send({ patient: away }, id)).status).toBe(201);
  });

  it('is asked about again by a correction of the postcode', async () => {
    const { body } = await send({ ...bornIn(2012), allow_duplicate: true }, youngPeople);
    const correct = async (correction: object, version: number) => {
      const answer = await site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${body.id}`,
        payload: correction,
        headers: { ...referrer.headers, 'if-match': `"${version}"` },
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    const near = body.patient.address;
    const far = { patient: { address: { lines: ['1 Far Road'], postcode: 'zt99zz' } } };
    const refused = await correct(far, 1);
    expect([refused.status, refused.body.type.split('/').at(-1)]).toEqual([422, 'does-not-fit']);
    expect(refused.body).toMatchObject({
      service_telephone: '01432 000 000',
      errors: [{ pointer: '/patient/address/postcode' }],
    });
    const vague = await correct({ ...far, fit_override: { reason: 'x' } }, 1);
    expect([vague.status, vague.body.errors[0].pointer]).toEqual([422, '/fit_override/reason']);
    const otherHouse = { patient: { address: { ...near, lines: ['2 Near Road'] } } };
    expect((await correct(otherHouse, 1)).status, 'in the same place').toBe(200);
    const fit_override = { reason: 'He stays with his father each week; the choir agreed.' };
    const moved = await correct({ ...far, fit_override }, 2);
    expect([moved.status, moved.body.fit_override]).toEqual([200, fit_override]);
    const back = await correct({ patient: { address: near }, fit_override: null }, 3);
    expect([back.status, back.body.fit_override]).toEqual([200, undefined]);
  });

  it('refuses nobody without ages, and with an area only in words', async () => {
    const open = {
      id: 'open-to-all',
      name: 'Open kitchen',
      status: 'active',
      service_areas: [{ id: 'words', name: 'The valley only', description: 'North of the river.' }],
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(`${JSON.stringify(open)}\n`)]));
    const far = { lines: ['1 Far Road'], postcode: 'ZT9 9ZZ' };
    for (const birth_date of ['2026-11-20', '1926-01-01']) {
      // Somebody under 16 does not agree for themselves.
      const agreement = { basis: birth_date > '2010' ? 'parental_responsibility' : 'person' };
      const { status, body } = await send(
        { patient: { ...patient, birth_date, address: far }, agreement, allow_duplicate: true },
        open.id,
      );
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body).not.toHaveProperty('fit_override');
    }
  });

  it('drops a reason about a wrong postcode once it is corrected', async () => {
    const address = { lines: ['1 Far Road'], postcode: 'ZT9 9ZZ' };
    const fit_override = { reason: 'He stays with his father each week; the choir agreed.' };
    const away = { patient: { ...patient, birth_date: '2012-03-09', address }, allow_duplicate: true };
    const { body } = await send({ ...bornIn(2012), ...away, fit_override }, youngPeople);
    const answer = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${body.id}`,
      payload: { patient: { address: { ...address, postcode: 'ZT1 3GH' } } },
      headers: { ...referrer.headers, 'if-match': '"1"' },
    });
    expect([body.fit_override, answer.statusCode]).toEqual([fit_override, 200]);
    expect(answer.json()).not.toHaveProperty('fit_override');
  });

  it('asks again for a reason that was given for something else', async () => {
    const why = { reason: 'She sings with her grandson; the service agreed.' };
    const { body: refused } = await send(bornIn(1947), youngPeople);
    const fit_override = { ...why, misfits: refused.misfits };
    const older = await send({ ...bornIn(1937), fit_override }, youngPeople);
    expect([older.status, older.body.type.split('/').at(-1)]).toEqual([422, 'does-not-fit']);
    expect(older.body.misfits).not.toEqual(refused.misfits);
    const fits = await send({ ...bornIn(2012), fit_override, allow_duplicate: true }, youngPeople);
    expect([fits.status, fits.body.fit_override]).toEqual([201, undefined]);
    const same = await send({ ...bornIn(1947), fit_override, allow_duplicate: true }, youngPeople);
    expect([same.status, same.body.fit_override]).toEqual([201, why]);
  });

  it('gives way to a reason, which the referral keeps', async () => {
    const fit_override = { reason: 'She sings with her grandson; the service agreed.' };
    const { status, body } = await send({ ...bornIn(1947), fit_override }, youngPeople);
    expect([status, body.fit_override]).toEqual([201, fit_override]);
  });

  it.each([
    ['2016-11-24', { minimumAge: 10, maximumAge: null }, 0],
    ['2016-11-25', { minimumAge: 10, maximumAge: null }, 1],
    ['2008-11-25', { minimumAge: null, maximumAge: 17 }, 0],
    ['2008-11-24', { minimumAge: null, maximumAge: 17 }, 1],
    ['2026-05-24', { minimumAge: 0.5, maximumAge: null }, 0],
    ['2026-05-25', { minimumAge: 0.5, maximumAge: null }, 1],
    ['2024-02-29', { minimumAge: null, maximumAge: null }, 0],
  ])('is exact at the edges: born %s, %o', (born, ages, count) => {
    expect(ageErrors(ages, born, '2026-11-24')).toHaveLength(count);
  });
});

describe('a reason to refer all the same', () => {
  it.each([
    'fit_override',
    'mismatch_override',
    'namesake_override',
    'death_override',
  ])('in %s is in words that a colleague would understand', async (name) => {
    const before = await stored();
    for (const reason of ['x', 'aaaa aaaaaa', 'asdf asdfgh', '....', 'n/a', 'test test']) {
      const { status, body } = await send({ [name]: { reason } });
      const message = 'Say why in a few words that a colleague would understand';
      expect([status, body.errors]).toEqual([422, [{ pointer: `/${name}/reason`, message }]]);
    }
    expect(await stored()).toBe(before);
    await completeAll();
    expect((await send({ [name]: { reason: 'Same name' } })).status).toBe(201);
  });
});
