import { describe, expect, it } from 'vitest';
import { aReferral } from '../../test/app/builders.ts';
import { recordsFixture } from '../../test/records/fixture.ts';

const { post, place, browser, referrer, somebody, handedOut, makeReferral, why } = await recordsFixture();

describe('the copy of a record', () => {
  it('has the links to the person’s page, and what they said there', async () => {
    const person = somebody();
    const patient = { ...person.patient, email: 'ines@example.org' };
    const body = aReferral(place.serviceId, {
      patient,
      contact: { safe: 'yes', channel: 'email' },
      person_page: { send: true },
    });
    expect((await post(referrer, '', body)).status).toBe(201);
    const { referrals } = await handedOut({ nhs_number: patient.nhs_number });
    expect(referrals[0]).toMatchObject({
      referral: { person_page: { send: true } },
      person_pages: [{ email: 'ines@example.org', opened_at: null, end_reason: null }],
      person_answers: [],
    });
  });
});

describe('erasing a person’s record', () => {
  it('begins on Admin, and is offered beside each referral', async () => {
    const { id, patient } = await makeReferral();
    const admin = (await browser.open('/operator')).page;
    const link = admin.querySelectorAll('main a').find(({ text }) => text === 'Erase a person’s record')!;
    const [search, anchor] = link.getAttribute('href')!.split('#') as [string, string];
    expect((await browser.open(search)).page.querySelector(`#${anchor}`)).not.toBeNull();
    const { page } = await browser.send(search, { nhs_number: patient.nhs_number, ...why });
    const offered = page.querySelectorAll(`a[href="/operator/patients/referrals/${id}"]`);
    expect(offered.map(({ text }) => text).join()).toContain('Restrict or erase');
    expect(
      (await browser.open(`/operator/patients/referrals/${id}`)).page.querySelector('#erase'),
    ).not.toBeNull();
  });
});
