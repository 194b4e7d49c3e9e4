import { describe, expect, it } from 'vitest';
import { aTestNhsNumber } from '../../../../test/app/builders.ts';
import { until } from '../../../../test/app/until.ts';
import { waitingForLocks } from '../../../../test/database/locks.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { patientKeys } from '../../model/person/identity/patient.ts';
import { findReferralOrDraft } from '../../model/referrals-store.ts';
import { lockChildren } from './child-decisions-store.ts';

const {
  site,
  place,
  elsewhere,
  referrer,
  colleague,
  provider,
  stranger,
  post,
  later,
  aPerson,
  makeReferral,
  reason,
} = await referralLifeFixture();
const pages = await referralPagesFixture();

const judged = { basis: 'competent_child', judged_by: 'Dr Moss', when: '2026-01-05T10:00:00Z' };
const byParent = { basis: 'parental_responsibility' };
const sharing = (share_with_gp: boolean | 'codes_only') => ({ referral: true, share_with_gp });

/** Somebody under 16, in the fields of a new referral. */
const aChild = (given: object = {}) => {
  const { patient } = aPerson(elsewhere.serviceId);
  return { patient: { ...patient, nhs_number: undefined, birth_date: '2012-03-09', ...given } };
};
const referAgain = async (who: typeof referrer, given: object) => {
  const { status, body } = await post(who, '', aPerson(elsewhere.serviceId, given));
  return { status, body, error: body.errors?.[0] };
};

describe('a child’s refusal to have the practice told', () => {
  it('is kept in a new referral, unless the child agrees', async () => {
    const child = aChild();
    const { id } = await makeReferral({ ...child, agreement: judged, consent: sharing(false) });
    await post(provider, `/${id}/reject`, reason, 1);
    for (const who of [referrer, colleague])
      for (const given of [{ agreement: byParent }, {}])
        for (const share of [true, 'codes_only'] as const) {
          const { status, error } = await referAgain(who, { ...child, ...given, consent: sharing(share) });
          expect([status, error.pointer]).toEqual([422, '/agreement/basis']);
          expect(error.message).toContain('the child decided that the practice is told less. Ask the child');
        }
    const less = await referAgain(referrer, { ...child, agreement: byParent, consent: sharing(false) });
    expect(less.status).toBe(201);
    const agreed = { ...child, agreement: judged, consent: sharing(true), allow_duplicate: true };
    expect((await referAgain(referrer, agreed)).status).toBe(201);
  });

  it('does not count elsewhere, for others, or after a year', async () => {
    const child = aChild();
    const { id } = await makeReferral({ ...child, agreement: judged, consent: sharing(false) });
    const told = { agreement: byParent, consent: sharing(true), allow_duplicate: true };
    expect((await referAgain(stranger, { ...child, ...told })).status).toBe(201);
    const twin = { patient: { ...child.patient, given_name: 'Bartholomew' } };
    expect((await referAgain(referrer, { ...twin, ...told })).status).toBe(201);
    await post(provider, `/${id}/reject`, reason, 1);
    expect((await referAgain(referrer, { ...child, ...told })).status).toBe(422);
    await later(366 * 24 * 60 * 60 * 1000);
    expect((await referAgain(referrer, { ...child, ...told })).status).toBe(201);
  });

  it('is found by a short first name, with or without a number', async () => {
    const child = aChild({ given_name: 'Kiddy' });
    await makeReferral({ ...child, agreement: judged, consent: sharing(false) });
    const told = { agreement: byParent, consent: sharing(true) };
    for (const more of [{}, { nhs_number: aTestNhsNumber(77_001) }]) {
      const patient = { ...child.patient, given_name: 'Kid', ...more };
      expect((await referAgain(referrer, { ...told, patient })).status).toBe(422);
    }
    const twin = { ...child.patient, given_name: 'Bartholomew' };
    expect((await referAgain(referrer, { ...told, patient: twin })).status).toBe(201);
  });

  it('is kept where both are sent in the same instant', async () => {
    const child = aChild();
    const refusing = aPerson(place.serviceId, { ...child, agreement: judged, consent: sharing(false) });
    const telling = aPerson(elsewhere.serviceId, { ...child, agreement: byParent, consent: sharing(true) });
    const answers = await Promise.all([post(referrer, '', refusing), post(colleague, '', telling)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
  });

  it('keeps a second referral waiting until it is stored', async () => {
    const { db, secrets } = site.deps;
    const child = aChild();
    const { id } = await makeReferral(child);
    const stored = (await findReferralOrDraft(db, id))!;
    const organisationId = stored.referrerOrganisationId;
    const person = {
      keys: patientKeys(secrets, child.patient),
      referrer: { organisationId, accountId: referrer.id },
    };
    const again = await inTransaction(db, async (trx) => {
      await lockChildren(trx, [person]);
      const sent = referAgain(colleague, child);
      await until(async () => (await waitingForLocks(db)) === 1);
      return { sent };
    });
    expect((await again.sent).status).toBe(201);
  });

  it('is told beside the question on the form, with how to go on', async () => {
    const { anOpenForm, aPerson: typedPerson } = pages;
    const typed = { ...typedPerson(), birth_year: '2012' };
    const own = {
      agreement_basis: 'competent_child',
      agreement_judged_by: 'Dr Hale',
      agreement_when: '2026-11-20T10:00',
      share_with_gp: 'no',
    };
    const first = await pages.referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed, ...own });
    expect(first.status).toBe(303);
    const again = { ...typed, agreement_basis: 'parental_responsibility', share_with_gp: 'yes' };
    const refused = await pages.referrer.send('/referrals/new', { ...(await anOpenForm()), ...again });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The person decided that the GP practice is told less');
    expect(refused.text).toContain('share no more than they decided');
  });
});
