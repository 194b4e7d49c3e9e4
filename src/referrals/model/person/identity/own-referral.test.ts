import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aPractice, aReferral, aTokenHolder } from '../../../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../../../test/people/referral-fixture.ts';
import { signedInBrowser } from '../../../../../test/people/signed-in-browser.ts';
import { reportUnusualAccess } from '../../../../operator/index.ts';

const { completeAll, place, site, stored, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const practice = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const ada = await aTokenHolder(site.deps, {
  name: 'Ada Ní Moss-Hale',
  email: 'ada.moss@example.org',
  organisation: practice,
});

async function refer(given: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { patient, ...rest } = aReferral(place.serviceId);
  const { nhs_number: _, ...person } = patient;
  const body = { ...rest, patient: { ...person, ...given }, ...more };
  const { statusCode: status, body: text } = await submit(body, {}, ada);
  return { status, body: JSON.parse(text) };
}

describe('the holder of the account', () => {
  it.each([
    ['by their email address', { email: 'Ada.Moss@example.org' }, {}, '/patient/email'],
    ['by a variant of their email address', { email: 'ada.moss+home@example.org' }, {}, '/patient/email'],
    [
      'by their name, without a reason',
      { given_name: 'Ada', family_name: 'Ni Moss Hale' },
      { gp_practice: { ods_code: 'z99001' } },
      '/patient/family_name',
    ],
  ])('does not refer themselves, known %s', async (_, person, more, pointer) => {
    const before = await stored();
    const { status, body } = await refer(person, more);
    expect([status, body.type.split('/').at(-1), body.errors[0].pointer]).toEqual([
      422,
      'refers-themselves',
      pointer,
    ]);
    expect(JSON.stringify(body)).not.toMatch(/ada|moss/i);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['with the hyphen left out', 'Ada', 'Ní MossHale'],
    ['with a middle name', 'Ada Róisín', 'Ní Moss-Hale'],
    ['with a middle name in the last name’s field', 'Ada', 'Róisín Ní Moss Hale'],
    ['with a part of the last name left out', 'Ada', 'Hale'],
    ['with an initial', 'A.', 'Ní Moss-Hale'],
    ['with initials', 'A R', 'Ni Moss Hale'],
    ['with a title', 'Dr. Ada', 'Ni Moss Hale'],
    ['the other way round', 'Ní Moss Hale', 'Ada'],
  ])('does not refer themselves by their name %s', async (_, given_name, family_name) => {
    const { status, body } = await refer(
      { given_name, family_name },
      { gp_practice: { ods_code: 'Z99001' } },
    );
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });

  it.each([
    ['Bjørn Łukasik-O’Brien', 'Bjorn', 'LUKASIK OBRIEN'],
    ['Bjorn Lukasik-OBrien', 'Bjørn', 'Łukasik–O`Brien'],
    ['Ólav Groß', 'Olav', 'Gross'],
    ['Ægir Đurić', 'Aegir', 'Duric'],
  ])('does not refer themselves as %s, written %s %s', async (name, given_name, family_name) => {
    const holder = await aTokenHolder(site.deps, { name, organisation: practice });
    const { patient } = aReferral(place.serviceId);
    const body = aReferral(place.serviceId, { patient: { ...patient, given_name, family_name } });
    const { statusCode, body: text } = await submit(body, {}, holder);
    expect([statusCode, JSON.parse(text).type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });

  it('is not found by their name alone at another practice', async () => {
    await aPractice(site.deps, 'Z99002', 'Mill Lane Surgery');
    for (const more of [{}, { gp_practice: { ods_code: 'Z99002' } }]) {
      const { status, body } = await refer({ given_name: 'Ada', family_name: 'Ní Moss-Hale' }, more);
      expect([status, body.type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
      expect(body.detail).toContain('namesake_override');
    }
  });

  it('cannot override a match of their own address with a reason', async () => {
    const namesake_override = { reason: 'She is my cousin, born in 1990.' };
    const given = { given_name: 'Ada', family_name: 'Ní Moss-Hale', email: 'ada.moss@example.org' };
    expect((await refer(given, { namesake_override })).body.type).toContain('refers-themselves');
  });

  it('does not send a draft of themselves', async () => {
    const draft = await refer({ email: 'ada.moss@example.org' }, { status: 'draft' });
    expect(draft.status).toBe(201);
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.body.id}/request`,
      payload: {},
      headers: { ...ada.headers, 'if-match': `"${draft.body.version}"` },
    });
    expect([sent.statusCode, sent.json().type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });

  it('does not become the person of a referral by a correction', async () => {
    const namesake_override = { reason: 'She is my cousin, born in 1990.' };
    const person = { given_name: 'Ada', family_name: 'Ní Moss-Hale' };
    const byEmail = await refer(person, { namesake_override });
    const corrections = [[byEmail, { patient: { email: 'ada.moss@example.org' } }]] as const;
    const correct = async (id: string, payload: object, version: number) =>
      site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${id}`,
        payload,
        headers: { ...ada.headers, 'if-match': `"${version}"` },
      });
    for (const [{ body }, correction] of corrections) {
      const refused = await correct(body.id, correction, 1);
      expect([refused.statusCode, refused.json().type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
      expect(refused.body).toContain('Nothing was changed.');
    }
    expect((await correct(byEmail.body.id, { patient: { email: 'other@example.org' } }, 1)).statusCode).toBe(
      200,
    );
  });

  it.each([
    [
      'somebody of the same name elsewhere, with a reason',
      { given_name: 'Ada', family_name: 'Ní Moss-Hale' },
      { namesake_override: { reason: 'She is my cousin, born in 1990.' } },
    ],
    [
      'somebody of the same name at their practice, with a reason',
      { given_name: 'Ada', family_name: 'Ní Moss-Hale' },
      { gp_practice: { ods_code: 'Z99001' }, namesake_override: { reason: 'She is my aunt, born in 1950.' } },
    ],
    ['somebody with a part of their name', { given_name: 'Ida', family_name: 'Moss-Hale' }, {}],
    [
      'somebody of their family at the practice',
      { given_name: 'Ida', family_name: 'Ní Moss-Hale' },
      { gp_practice: { ods_code: 'Z99001' } },
    ],
  ])('may refer %s', async (_, person, more) => {
    expect((await refer(person, more)).status).toBe(201);
  });

  // Last, because time goes by in it, and tokens end.
  it('is asked on the form, and is on the guardian’s list', async () => {
    const browser = await signedInBrowser(site, { name: 'Nora Same', organisation: practice });
    const form = {
      service: place.serviceId,
      given_name: 'Nora',
      family_name: 'Same',
      birth_day: '9',
      birth_month: '3',
      birth_year: '1990',
      address_line_1: '4 Mill Lane',
      postcode: 'ZT1 3GH',
      reasons: 'Lonely',
      urgency: 'routine',
      contact_safe: 'yes',
      risk: 'no',
      agreement_basis: 'person',
      share_with_gp: 'no',
      gp_needed: 'no',
    };
    const asked = await browser.send('/referrals/new', form);
    expect([asked.status, asked.text]).toEqual([422, expect.stringContaining('Is this you?')]);
    const filled = await browser.send('/referrals/new', { ...form, namesake_reason: 'n/a' });
    expect([filled.status, filled.page.querySelector('#namesake_reason-error')?.structuredText]).toEqual([
      422,
      expect.stringContaining('Say why in a few words that a colleague would understand'),
    ]);
    const namesake_reason = 'Her birth date is not mine.';
    const { location } = await browser.send('/referrals/new', { ...form, namesake_reason });
    const sent = await browser.send(String(location), { version: '1' });
    expect(sent.status).toBe(303);
    expect((await browser.open(String(sent.location))).text).toContain(namesake_reason);
    site.clock.moveOn(86_400_000);
    await reportUnusualAccess(site.deps);
    const operator = await signedInBrowser(site, { role: 'operator' });
    const list = (await operator.open('/operator/looks')).text;
    expect(list).toContain('Referred somebody with their own first and last name');
    expect(list).toContain('Nora Same');
  });
});
