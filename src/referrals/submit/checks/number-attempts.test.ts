import { afterAll, describe, expect, it } from 'vitest';
import { aReferral, aTestNhsNumber, aTokenHolder } from '../../../../test/app/builders.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { aSystem } from '../../../../test/people/systems.ts';
import { storedNumberAttempts } from '../../../../test/referrals/stored.ts';
import { jobHandlers } from '../../../worker.ts';

const { place, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());

const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const hour = 3_600_000;
type Holder = { headers: Record<string, string> };
let made = 0;

/** A person whom this site knows by their number, and what is sent with it. */
async function aKnownPerson() {
  made += 1;
  const nhs_number = aTestNhsNumber(made);
  const patient = { ...aReferral('').patient, nhs_number, family_name: 'Known', birth_date: '1947-03-09' };
  const bodyWith = (given: object, more = {}) =>
    aReferral(place.serviceId, { patient: { ...patient, ...given }, allow_duplicate: true, ...more });
  const send = async (given: object, more: object = {}, who: Holder = referrer) => {
    const { statusCode: status, body, headers } = await submit(bodyWith(given, more), {}, who as never);
    return { status, body: JSON.parse(body), retryAfter: headers['retry-after'] };
  };
  const knows = await aTokenHolder(site.deps, { organisation: { name: `Knows ${nhs_number}` } });
  expect((await send({}, {}, knows)).status).toBe(201);
  const born = (year: number) => ({ birth_date: `${year}-03-09` });
  /** As somebody does who looks for the year of birth. */
  const tryYears = async (years: readonly number[], who?: Holder) => {
    const statuses = [];
    for (const year of years) statuses.push((await send(born(year), {}, who)).status);
    return statuses;
  };
  return { nhs_number, bodyWith, send, born, tryYears };
}

const fiveYears = [1950, 1951, 1952, 1953, 1954];
const fiveRefusals = fiveYears.map(() => 409);

describe('an NHS number that is tried with one birth date after another', () => {
  it('is refused with all, right or wrong, in the same words', async () => {
    const { send, born, tryYears } = await aKnownPerson();
    expect(await tryYears(fiveYears)).toEqual(fiveRefusals);
    const wrong = await send(born(1955));
    const right = await send({});
    const { request_id: _, ...said } = right.body;
    expect(wrong).toEqual({ ...right, body: { ...said, request_id: wrong.body.request_id } });
    expect([right.status, right.body.code, right.retryAfter]).toEqual([429, 'too-many-requests', '86400']);
    expect(right.body.errors).toEqual([
      {
        pointer: '/patient/nhs_number',
        message: 'was sent with too many different names or dates of birth',
      },
    ]);
    expect(right.body.detail).toContain('mismatch_override');
    expect(JSON.stringify(right.body)).not.toMatch(/Known|19\d\d/);
  });

  it('is refused to colleagues, systems and drafts, not to others', async () => {
    const { send, born, tryYears } = await aKnownPerson();
    const colleague = await aTokenHolder(site.deps, { organisation });
    const system = await aSystem(site, { organisation, ownerId: referrer.id });
    expect(await tryYears([1950, 1951], system)).toEqual([409, 409]);
    expect(await tryYears([1952, 1953], colleague)).toEqual([409, 409]);
    expect(await tryYears([1954, 1955])).toEqual([409, 429]);
    for (const each of [system, colleague]) expect((await send({}, {}, each)).status).toBe(429);
    const draft = (await send({}, { status: 'draft', allow_duplicate: undefined })).body;
    const headers = { ...referrer.headers, 'if-match': '"1"' };
    const url = `/api/referrals/${draft.id}/request`;
    const sent = await site.app.inject({ method: 'POST', url, headers, payload: {} });
    expect([sent.statusCode, sent.json().code]).toEqual([429, 'too-many-requests']);
    const others = await aTokenHolder(site.deps, { organisation: { name: 'Mill Lane Surgery' } });
    expect((await send({}, {}, others)).status).toBe(201);
    expect((await send(born(1955), {}, others)).status).toBe(409);
  });

  it('goes through with a reason, whatever is right', async () => {
    const { send, born, tryYears } = await aKnownPerson();
    await tryYears(fiveYears);
    const mismatch_override = { reason: 'I read the number off her card.' };
    expect((await send({}, { mismatch_override })).status).toBe(201);
    expect((await send(born(1955), { mismatch_override })).status).toBe(201);
  });

  it('is not refused for a repeated mistake or another number', async () => {
    const { send, tryYears } = await aKnownPerson();
    expect(await tryYears([...fiveYears.slice(1), 1951, 1951])).toEqual([...fiveRefusals, 409]);
    expect((await send({})).status).toBe(201);
    await tryYears(fiveYears);
    expect((await send({ nhs_number: aTestNhsNumber(1000) })).status).toBe(201);
  });

  it('is compared for only one of two that arrive together last', async () => {
    const { send, born, tryYears } = await aKnownPerson();
    const colleague = await aTokenHolder(site.deps, { organisation });
    await tryYears(fiveYears.slice(1));
    const answers = await Promise.all([send(born(1960)), send(born(1961), {}, colleague)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([409, 429]);
  });

  it('is kept as a keyed hash, and in the audit without the number', async () => {
    const before = (await storedNumberAttempts(site.deps.db)).length;
    const { nhs_number, tryYears } = await aKnownPerson();
    const action = 'nhs-number.tried-too-often';
    const entriesBefore = (await storedEntries(site.deps.db, { action })).length;
    await tryYears([...fiveYears, 1955]);
    const attempts = (await storedNumberAttempts(site.deps.db)).slice(before);
    expect(attempts).toHaveLength(5);
    for (const { number_key, details_key } of attempts) {
      expect([number_key.length, details_key.length]).toEqual([32, 32]);
      expect(number_key.includes(nhs_number)).toBe(false);
    }
    const entries = (await storedEntries(site.deps.db, { action })).slice(entriesBefore);
    // One when it was tried too often, and one for each further try.
    expect(entries.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${nhs_number}|Known|"19[45]\\d-`));
  });

  it('is explained on the form, which takes the reason', async () => {
    const { nhs_number, tryYears } = await aKnownPerson();
    const browser = await signedInBrowser(site, { organisation });
    await tryYears(fiveYears);
    const form = {
      service: place.serviceId,
      nhs_number,
      given_name: 'Margaret',
      family_name: 'Known',
      birth_day: '9',
      birth_month: '3',
      birth_year: '1947',
      address_line_1: '4 Mill Lane',
      postcode: 'ZT1 3GH',
      reasons: 'She is lonely.',
      urgency: 'routine',
      risk: 'no',
      contact_safe: 'yes',
      agreement_basis: 'person',
      share_with_gp: 'no',
      gp_needed: 'no',
    };
    const asked = await browser.send('/referrals/new', form);
    expect(asked.status).toBe(429);
    expect(asked.page.querySelector('.nhsuk-error-summary')?.text).toContain(
      'NHS number was entered with too many different names or dates of birth',
    );
    expect(asked.text).toContain('also with the right ones');
    const withReason = { ...form, mismatch_reason: 'I read the number off her card.' };
    expect((await browser.send('/referrals/new', withReason)).status).toBe(303);
  });

  // Last, because time goes by in it, and tokens end.
  it('is compared again after a day, and nothing is kept of it', async () => {
    const { send, tryYears } = await aKnownPerson();
    await tryYears(fiveYears.slice(1));
    site.clock.moveOn(2 * hour);
    expect(await tryYears([1950])).toEqual([409]);
    expect((await send({})).retryAfter).toBe(String(22 * 3600));
    site.clock.moveOn(22 * hour);
    const later = await aTokenHolder(site.deps, { organisation });
    expect((await send({}, {}, later)).status).toBe(201);
    site.clock.moveOn(2 * hour);
    await (jobHandlers(site.deps).sweep as () => Promise<void>)();
    expect(await storedNumberAttempts(site.deps.db)).toEqual([]);
  });
});
