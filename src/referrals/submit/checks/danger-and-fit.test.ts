import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeOrdinary, markSensitive } from '../../../../test/library/stored.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';
import { savePostcodes } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { ageErrors } from './check-fit.ts';

const { completeAll, place, referrer, site, stored, submit } = await makeReferralFixture();
const told = { who_was_told: 'Anna Smith, duty social worker', when: '2026-11-20T10:00:00Z' };
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

describe('the question of risk', () => {
  it('is stored as not asked if a client does not send it', async () => {
    expect((await send({})).body.risk).toBe('not_asked');
    await completeAll();
    expect((await send({ risk: 'could_not_ask' })).body.risk).toBe('could_not_ask');
  });

  it('stops a referral until somebody was told', async () => {
    const before = await stored();
    const { status, body } = await send({ risk: 'yes' });
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
    expect(body).toMatchObject({ emergency_number: '999', safeguarding_contact: null });
    expect(body.errors).toEqual([{ pointer: '/risk_acted_on', message: expect.any(String) }]);
    expect(await stored()).toBe(before);
    expect(await send({ risk: 'yes', risk_acted_on: told })).toMatchObject({
      status: 201,
      body: { risk: 'yes', risk_acted_on: { ...told, when: '2026-11-20T10:00:00.000Z' } },
    });
  });

  it('is answered before anything else that is wrong', async () => {
    const { body } = await send({ risk: 'yes', service_id: 'nowhere' });
    expect(body.type).toMatch(/risk-not-acted-on$/);
    const misspelled = await send({ risk: 'yes', urgency: 'very', saftey_notes: 'None' });
    expect([misspelled.status, misspelled.body.emergency_number]).toEqual([422, '999']);
  });

  it.each([
    ['empty', {}, ['/risk_acted_on/who_was_told', '/risk_acted_on/when']],
    ['null', null, ['/risk_acted_on']],
    ['a text', 'the police', ['/risk_acted_on']],
    ['a list', [told], ['/risk_acted_on']],
    ['without a time', { who_was_told: 'The police' }, ['/risk_acted_on/when']],
    ['a time that is none', { ...told, when: 'just now' }, ['/risk_acted_on/when']],
    ['a day that is none', { ...told, when: '2026-02-30T10:00:00Z' }, ['/risk_acted_on/when']],
    ['a blank', { ...told, who_was_told: ' ' }, ['/risk_acted_on/who_was_told']],
    ['nobody', { ...told, who_was_told: 'Nobody.' }, ['/risk_acted_on/who_was_told']],
    ['no name', { ...told, who_was_told: 'n/a' }, ['/risk_acted_on/who_was_told']],
    ['misspelled', { ...told, whom: 'The police' }, ['/risk_acted_on/whom']],
    ['still to come', { ...told, when: '2999-01-01T00:00:00Z' }, ['/risk_acted_on/when']],
  ])('says whom to call where risk_acted_on is %s', async (_, risk_acted_on, pointers) => {
    const { status, body } = await send({ risk: 'yes', risk_acted_on, patient: 'nobody' });
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
    expect(body).toMatchObject({ emergency_number: '999', safeguarding_contact: null });
    expect(body.errors.map(({ pointer }: any) => pointer)).toEqual(pointers);
    expect(body.errors.every(({ message }: any) => message.length > 5)).toBe(true);
  });

  it('is answered first where somebody is referred to another service', async () => {
    for (const more of [{}, { risk_acted_on: 'the police' }]) {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/api/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f/reroute',
        payload: { risk: 'yes', ...more },
        headers: referrer.headers,
      });
      expect([answer.statusCode, answer.json().emergency_number]).toEqual([422, '999']);
    }
  });

  it('is answered first where a draft is sent that lacks more', async () => {
    const draft = (await send({ risk: 'yes', status: 'draft', reasons: undefined, consent: undefined })).body;
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect([sent.statusCode, sent.json().emergency_number]).toEqual([422, '999']);
  });

  it('may wait in a draft, and not when it is sent', async () => {
    const draft = (await send({ risk: 'yes', status: 'draft' })).body;
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect([sent.statusCode, sent.json().type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
  });

  it('is answered with the numbers to call also in a draft that is not finished', async () => {
    const draft = (await submit({ status: 'draft', risk: 'yes' })).json();
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect(sent.json()).toMatchObject({
      type: expect.stringMatching(/risk-not-acted-on$/),
      emergency_number: '999',
      safeguarding_contact: null,
    });
  });

  it('is asked again where a referral with a risk is made to another service', async () => {
    const first = (await send({ risk: 'yes', risk_acted_on: told })).body;
    const call = async (path: string, payload: object) => {
      const headers = { ...referrer.headers, 'if-match': '"1"' };
      const answer = await site.app.inject({
        method: 'POST',
        url: `/api/referrals/${first.id}${path}`,
        payload,
        headers,
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    const status_reason = { code: 'client-declined', text: 'She would rather go elsewhere.' };
    expect((await call('/cancel', { status_reason })).status).toBe(200);
    const consent = { referral: true, share_with_gp: false };
    const again = { service_id: place.serviceId, consent };
    const refused = await call('/reroute', again);
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/risk' }]]);
    expect((await call('/reroute', { ...again, risk: 'no' })).status).toBe(201);
  });

  it.each([
    ['still to come', '2999-01-01T00:00:00Z'],
    ['over a year ago', '1626-01-01T00:00:00Z'],
  ])('refuses a time that is %s', async (_, when) => {
    const { status, body } = await send({ risk: 'yes', risk_acted_on: { ...told, when } });
    expect([status, body.errors[0].pointer]).toEqual([422, '/risk_acted_on/when']);
  });

  it('keeps the time in UTC', async () => {
    const when = '2026-11-20T10:00:00+05:30';
    const { body } = await send({ risk: 'yes', risk_acted_on: { ...told, when } });
    expect(body.risk_acted_on.when).toBe('2026-11-20T04:30:00.000Z');
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

  it('drops a reason about a postcode that was wrong, once it is corrected', async () => {
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

describe('an NHS number that is known with other details', () => {
  const margaret = { ...aReferral('').patient, nhs_number: '9990000034', birth_date: '1947-03-09' };
  const sendAs = (patient: object, given = {}) => send({ patient: { ...margaret, ...patient }, ...given });
  beforeAll(async () => {
    expect((await sendAs({ family_name: 'O’Connor-Jones' })).status).toBe(201);
  });

  it('is refused with another last name or birth date, and no more is said', async () => {
    const before = await stored();
    const byName = await sendAs({ family_name: 'Smith' });
    const byBirth = await sendAs({ family_name: 'O’Connor-Jones', birth_date: '1947-09-03' });
    for (const { status, body } of [byName, byBirth]) {
      expect([status, body.type.split('/').at(-1)]).toEqual([409, 'person-mismatch']);
      expect(JSON.stringify(body)).not.toMatch(/Connor|1947/);
    }
    expect(byName.body.detail).toBe(byBirth.body.detail);
    expect(await stored()).toEqual(before);
  });

  it('is not refused to others where only a sensitive service’s referral has it', async () => {
    const nhs_number = '9990001006';
    const elsewhere = await aService(site.deps, { serviceName: 'Open kitchen table' });
    const other = await aTokenHolder(site.deps, { organisation: { name: 'Mill Lane Surgery' } });
    const sendTo = async (serviceId: string, family_name: string, who = referrer) => {
      const body = aReferral(serviceId, { patient: { ...margaret, nhs_number, family_name } });
      return (await submit(body, {}, who)).statusCode;
    };
    await markSensitive(site.deps.db, place.serviceId);
    expect(await sendTo(place.serviceId, 'Brown')).toBe(201);
    expect(await sendTo(elsewhere.serviceId, 'Stranger', other)).toBe(201);
    // The organisation that knows the number is told.
    expect(await sendTo(elsewhere.serviceId, 'Green')).toBe(409);
    await makeOrdinary(site.deps.db, place.serviceId);
    expect(await sendTo(place.serviceId, 'White', other)).toBe(409);
  });

  it('is the same person however the name is written', async () => {
    expect((await sendAs({ family_name: "o'connor JONES", given_name: 'Peg' })).status).toBe(201);
  });

  it('is refused to a twin, and not for a short name, an initial or a second name', async () => {
    const twins = { nhs_number: '9990001014', family_name: 'Gemini' };
    const status = async (given_name: string, more = {}) =>
      (await sendAs({ ...twins, given_name }, { allow_duplicate: true, ...more })).status;
    expect(await status('William')).toBe(201);
    for (const sameName of ['Bill', 'W.', 'Wiliam', 'George William'])
      expect(await status(sameName), sameName).toBe(201);
    expect(await status('Peter')).toBe(409);
    expect(await status('Peter', { mismatch_override: { reason: 'The number was checked twice.' } })).toBe(
      201,
    );
  });

  it('goes through with the reason, which the service sees', async () => {
    const number = { nhs_number: '9990000042' };
    expect((await sendAs({ ...number, family_name: 'Brown' })).status).toBe(201);
    await completeAll();
    const mismatch_override = { reason: 'She married in May.' };
    const { status, body } = await sendAs({ ...number, family_name: 'Smith' }, { mismatch_override });
    expect([status, body.mismatch_override]).toEqual([201, mismatch_override]);
  });

  it('may have the last names that choose a story of the simulator', async () => {
    expect((await sendAs({ family_name: 'Accepted' })).status).toBe(201);
    expect((await sendAs({ family_name: 'Accepted', birth_date: '1950-01-01' })).status).toBe(409);
  });

  it('is refused once if two names arrive together', async () => {
    const patients = ['One', 'Two'].map((family_name) => ({ family_name, nhs_number: '9990000026' }));
    const answers = await Promise.all(patients.map((patient) => sendAs(patient)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('is refused when a draft is sent, and kept as a draft', async () => {
    const draft = await send({ status: 'draft', patient: { ...margaret, family_name: 'Smith' } });
    expect(draft.status).toBe(201);
    const { statusCode, body } = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.body.id}/request`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: {},
    });
    expect([statusCode, JSON.parse(body).type.split('/').at(-1)]).toEqual([409, 'person-mismatch']);
  });
});
