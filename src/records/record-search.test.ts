import { describe, expect, it } from 'vitest';
import { aReferral } from '../../test/app/builders.ts';
import { recordsFixture } from '../../test/records/fixture.ts';

const { post, place, referrer, somebody, handedOut } = await recordsFixture();

describe('the copy of a record', () => {
  it('has the links to the person’s own page, and what they said there', async () => {
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
