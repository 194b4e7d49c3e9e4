import { describe, expect, it } from 'vitest';
import { aReferral } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { recordsFixture } from '../../../test/records/fixture.ts';
import { backdateEnd, countReferralParts, storedReferral } from '../../../test/referrals/stored.ts';
import { eraseByRule } from '../index.ts';

const {
  site,
  place,
  operator,
  referrer,
  provider,
  browser,
  referrerBrowser,
  get,
  post,
  why,
  aCompletedReferral,
  handedOut,
} = await recordsFixture();

const inquest = { reason: 'The coroner asked for the record.' };

describe('a record on legal hold', () => {
  it('is erased neither on request nor by age until it is lifted', async () => {
    const { id, mark } = await aCompletedReferral();
    const held = await post(operator, `/${id}/legal-hold`, inquest);
    expect([held.status, held.body.held]).toEqual([200, true]);
    const refused = await post(operator, `/${id}/erase`, { ...why, ground: 'not-needed' });
    expect([refused.status, refused.body.type, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('referral-held'),
      expect.stringContaining('article 17(3)(e)'),
    ]);
    await backdateEnd(site.deps.db, id, '30 years', { now: site.clock.now() });
    await eraseByRule(site.deps);
    expect(JSON.stringify(await storedReferral(site.deps.db, id))).toContain(mark);
    for (const table of ['referral_messages', 'referral_attachments'] as const)
      expect(await countReferralParts(site.deps.db, table, id), table).toBeGreaterThan(0);
    expect((await get(referrer, `/${id}/deliveries`)).body.items.length).toBeGreaterThan(0);

    expect((await post(operator, `/${id}/lift-legal-hold`, why)).body.held).toBe(false);
    expect(
      (await post(operator, `/${id}/erase`, { ...why, ground: 'not-needed' })).body.erased_at,
    ).not.toBeNull();
  });

  it('tells operators who held it and why, both sides that it is', async () => {
    const { id } = await aCompletedReferral();
    const form = `/operator/patients/referrals/${id}`;
    expect((await browser.send(`${form}/legal-hold`, inquest)).location).toBe(`${form}?done=held`);
    const page = await browser.open(form);
    expect(page.text).toContain(`by Olive Operator: ${inquest.reason}`);
    expect(page.text).toContain('You can send this to the person');
    expect(page.page.querySelector('form[action$=erase]')).toBeNull();
    for (const who of [referrer, provider]) expect((await get(who, `/${id}`)).body.held).toBe(true);
    expect((await referrerBrowser.open(`/referrals/${id}`)).text).toContain('This record is on legal hold');
    const again = await post(operator, `/${id}/legal-hold`, inquest);
    expect([again.status, again.body.type]).toEqual([409, expect.stringContaining('wrong-state')]);
    await browser.send(`${form}/lift-legal-hold`, why);
    expect((await browser.open(form)).text).toContain(`Lifted on`);
    const audited = async (action: string) => storedEntries(site.deps.db, { action, subjectId: id });
    expect((await audited('referral.held')).map(({ details }) => details)).toContainEqual(inquest);
    expect((await audited('referral.hold-lifted')).map(({ details }) => details)).toEqual([why]);
  });

  it('is set for all referrals of a person at once', async () => {
    const { id, patient } = await aCompletedReferral();
    const second = await post(referrer, '', aReferral(place.serviceId, { patient }));
    const { nhs_number } = patient;
    const found = await browser.send('/operator/patients/legal-hold', { nhs_number, ...inquest });
    expect(found.text.match(/On legal hold(?! or restricted)/g)).toHaveLength(2);
    expect(found.page.querySelector('form[action$=legal-hold]')).toBeNull();
    for (const each of [id, second.body.id]) expect((await get(operator, `/${each}`)).body.held).toBe(true);
    expect((await handedOut({ nhs_number })).referrals[0].legal_holds).toMatchObject([
      { ...inquest, lifted: null },
    ]);
  });

  it('needs an operator, and a reason that does not name anybody', async () => {
    const { id, patient } = await aCompletedReferral();
    const naming = { reason: `An inquest about ${patient.family_name}.` };
    expect((await post(operator, `/${id}/legal-hold`, naming)).status).toBe(422);
    const person = { nhs_number: patient.nhs_number };
    expect((await browser.send('/operator/patients/legal-hold', { ...person, ...naming })).status).toBe(422);
    for (const who of [referrer, provider])
      expect((await post(who, `/${id}/legal-hold`, inquest)).status).toBe(403);
    expect((await get(operator, `/${id}`)).body.held).toBe(false);
  });
});
