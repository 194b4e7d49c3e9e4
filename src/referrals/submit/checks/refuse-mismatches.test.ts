import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { makeOrdinary, markSensitive } from '../../../../test/library/stored.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';

const { completeAll, place, referrer, site, stored, submit } = await makeReferralFixture();

afterAll(() => site.close());
beforeEach(() => completeAll());

async function send(given: object, serviceId = place.serviceId) {
  const { statusCode: status, body } = await submit({ ...aReferral(serviceId), ...given });
  return { status, body: JSON.parse(body) };
}

describe('an NHS number that is known with other details', () => {
  const margaret = { ...aReferral('').patient, nhs_number: '9990000034', birth_date: '1947-03-09' };
  const sendAs = (patient: object, given = {}) => send({ patient: { ...margaret, ...patient }, ...given });
  beforeAll(async () => {
    expect((await sendAs({ family_name: 'O’Connor-Jones' })).status).toBe(201);
  });

  it('is refused with another name or birth date, but not which', async () => {
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

  it('leaves each refusal in the audit, also that of a draft', async () => {
    const actorId = referrer.id;
    const refusals = async () =>
      (await storedEntries(site.deps.db, { action: 'referral.requested', actorId })).filter(
        ({ outcome }) => outcome === 'refused',
      );
    const before = (await refusals()).length;
    expect((await sendAs({ family_name: 'Tried' })).status).toBe(409);
    const draft = await send({ status: 'draft', patient: { ...margaret, family_name: 'Tried' } });
    const url = `/api/referrals/${draft.body.id}/request`;
    const headers = { ...referrer.headers, 'if-match': '"1"' };
    expect((await site.app.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(409);
    const kept = (await refusals()).map(({ details }) => details.reason);
    expect(kept.slice(before)).toEqual(['person-mismatch', 'person-mismatch']);
  });

  it('is not refused to others if only a sensitive referral has it', async () => {
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

  it('is accepted with another spelling of the name', async () => {
    expect((await sendAs({ family_name: "o'connor JONES", given_name: 'Peg' })).status).toBe(201);
  });

  it('is refused to a twin, and accepted with short names', async () => {
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

  it('is not refused for the last names reserved by the simulator', async () => {
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
